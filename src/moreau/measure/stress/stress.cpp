#include "moreau/measure/stress/stress.hpp"

namespace moreau::measure {

namespace {

// `visit(body, arm, force)` for both sides of every contact: the free body, its centre minus the contact point, the force on it.
template <int D, class Visit>
void for_arms(const Sample<D>& sample, const Visit& visit) {
  const ContactRecords<D>& contacts = *sample.contacts;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    visit(c, sample.a(c), sample.middle[sample.a(c)] - contacts.point[c], contacts.force[c]);
    if (!sample.at_obstacle(c)) visit(c, sample.b(c), sample.middle_b(c) - contacts.point[c], -contacts.force[c]);
  }
}

}  // namespace

template <int D>
Stress<D> stress(const Sample<D>& sample, const Region<D>& region) {
  Stress<D> s;
  s.volume = region.volume();
  std::vector<double> reached(sample.contacts->size(), 0.0);
  for_arms(sample, [&](std::size_t c, std::size_t, const Vec<D>& arm, const Vec<D>& force) {
    const double share = share_of_segment(region, sample.contacts->point[c], sample.contacts->point[c] + arm);
    if (share == 0.0) return;
    reached[c] = 1.0;
    s.contact += share * outer(force, arm);
  });
  for (const double r : reached) s.contacts += r > 0.0 ? 1 : 0;

  const BodyParameters<D>& p = *sample.parameters;
  double mass = 0.0;
  Vec<D> momentum{};
  std::vector<std::size_t> inside;
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i) && region.contains(sample.state->position[i])) {
      inside.push_back(i);
      mass += p.mass[i];
      momentum += p.mass[i] * sample.state->velocity[i];
    }
  for (const std::size_t i : inside) {
    const Vec<D> v = sample.state->velocity[i] - (1.0 / mass) * momentum;
    s.kinetic += p.mass[i] * outer(v, v);
  }
  s.bodies = inside.size();
  if (s.volume > 0.0) s.contact /= s.volume, s.kinetic /= s.volume;
  return s;
}

template <int D>
Tensor<D> stress_from_boundary(const Sample<D>& sample, double volume) {
  Tensor<D> sum = Tensor<D>::Zero();
  for (std::size_t c = 0; c < sample.contacts->size(); ++c)
    if (sample.at_obstacle(c)) sum -= outer(sample.contacts->force[c], sample.contacts->point[c]);
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i)) sum -= sample.parameters->mass[i] * outer(sample.gravity, sample.middle[i]);
  return sum / volume;
}

template <int D>
std::vector<Tensor<D>> internal_moments(const Sample<D>& sample) {
  std::vector<Tensor<D>> moment(sample.bodies(), Tensor<D>::Zero());
  for_arms(sample,
           [&](std::size_t, std::size_t body, const Vec<D>& arm, const Vec<D>& force) { moment[body] += outer(force, arm); });
  return moment;
}

template Stress<2> stress(const Sample<2>&, const Region<2>&);
template Stress<3> stress(const Sample<3>&, const Region<3>&);
template Tensor<2> stress_from_boundary(const Sample<2>&, double);
template Tensor<3> stress_from_boundary(const Sample<3>&, double);
template std::vector<Tensor<2>> internal_moments(const Sample<2>&);
template std::vector<Tensor<3>> internal_moments(const Sample<3>&);

}  // namespace moreau::measure
