#include "moreau/measure/stress/balance.hpp"

#include <algorithm>

namespace moreau::measure {

template <int D>
Balance balance(const Sample<D>& sample, double threshold) {
  struct Sum {
    Vec<D> force{};
    Spin<D> moment{};
    double largest = 0.0;
    std::size_t contacts = 0;
  };
  const ContactRecords<D>& contacts = *sample.contacts;
  const std::vector<bool> carrying = carrying_contacts(sample, threshold);
  std::vector<Sum> sums(sample.bodies());
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (!carrying[c]) continue;
    const auto push = [&](std::size_t body, const Vec<D>& centre, const Vec<D>& force, const Spin<D>& couple) {
      Sum& sum = sums[body];
      sum.force += force;
      sum.moment += moment(contacts.point[c] - centre, force) + couple;
      sum.largest = std::max(sum.largest, norm(force));
      ++sum.contacts;
    };
    push(sample.a(c), sample.middle[sample.a(c)], contacts.force[c], sample.couple(c));
    if (!sample.at_obstacle(c)) push(sample.b(c), sample.middle_b(c), -contacts.force[c], -sample.couple(c));
  }
  Balance b;
  std::size_t free = 0;
  const double gravity = norm(sample.gravity), least = threshold * mean_normal_force(sample);  // of a force that counts
  const BodyParameters<D>& p = *sample.parameters;
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    if (!sample.is_free(i)) continue;
    const double energy = 0.5 * (p.mass[i] * dot(sample.state->velocity[i], sample.state->velocity[i]) +
                                 p.inertia[i] * dot(sample.state->spin[i], sample.state->spin[i]));
    b.kinetic_energy += energy, ++free;
    b.greatest_energy = std::max(b.greatest_energy, energy);
    const Sum& sum = sums[i];
    b.monovalent += sum.contacts == 1 ? 1 : 0;
    if (sum.contacts == 0) {
      if (p.mass[i] * gravity > least) ++b.unsupported, b.force_residual = std::max(b.force_residual, 1.0);
      continue;
    }
    const double force = norm(sum.force + p.mass[i] * sample.gravity) / sum.largest;
    b.force_residual = std::max(b.force_residual, force);
    b.moment_residual = std::max(b.moment_residual, norm(sum.moment) / (sum.largest * p.radius[i]));
    b.mean_force_residual += force;
    ++b.loaded;
  }
  b.mean_force_residual += static_cast<double>(b.unsupported);
  if (const std::size_t judged = b.loaded + b.unsupported; judged > 0) b.mean_force_residual /= static_cast<double>(judged);
  if (free > 0) b.kinetic_energy /= static_cast<double>(free);
  return b;
}

template Balance balance(const Sample<2>&, double);
template Balance balance(const Sample<3>&, double);

}  // namespace moreau::measure
