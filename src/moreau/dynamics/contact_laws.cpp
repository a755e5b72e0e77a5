// The part of the step that laws beyond Coulomb's add: values of the laws, joints, couples.
#include "moreau/dynamics/contact_laws.hpp"

#include <algorithm>

#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/dynamics/shocks.hpp"
#include "moreau/dynamics/simulation.hpp"
#include "moreau/law/rolling.hpp"

namespace moreau {

namespace {
// Cohesion acts where the surfaces touch; under the predictive rule contacts are known before they do.
constexpr double touching = 1e-5;  // of the smaller radius
}  // namespace

// A joint is intact if it was so before, or if this is the step in which the joints are made.
template <int D>
bool Simulation<D>::is_bonded(const FoundContact& found) const {
  const MortarJoint& joint = law_of(found.a, found.b).joint;
  if (!joint.exists()) return false;
  if (joint.bonded_at >= state_.time && joint.bonded_at < state_.time + model_.time_step) return true;
  const std::vector<ContactCondition>& before = state_.contacts.condition;
  return found.recalled >= 0 && !before.empty() && before[static_cast<std::size_t>(found.recalled)].bonded();
}

template <int D>
StepLaw Simulation<D>::step_law(const FoundContact& found, const ContactPlace& place, bool bonded) const {
  const PairLaw& law = law_of(found.a, found.b);
  const Vec<D> u = relative_velocity(static_cast<std::size_t>(found.a), found.b, place);
  const double u_n = dot(u, place.normal);
  StepLaw step = law_in_step(law, -u_n, norm(u - u_n * place.normal), model_.time_step, bonded);
  if (law.cohesion > 0.0 && !bonded) {
    const std::vector<double>& radius = state_.bodies.parameters.radius;
    double smaller = radius[static_cast<std::size_t>(found.a)];
    if (!is_wall(found.b)) smaller = std::min(smaller, radius[static_cast<std::size_t>(found.b)]);
    if (place.gap > std::max(model_.contact_distance, touching * smaller)) step.tension = 0.0;
  }
  return step;
}

// The laws of all contacts of the step, from the velocities with which it begins and the joints that are left.
template <int D>
void Simulation<D>::evaluate_laws() {
  if (model_.pair_laws.size() <= 4096) needs_ = law_needs(model_.pair_laws);  // they may change between steps
  const bool needed = needs_.beyond || model_.shocks == ShockRule::sequential;
  const std::vector<FoundContact>& found = detector_.found;
  resize_tightly(step_laws_, needed ? found.size() : 0), resize_tightly(bonded_, needed ? found.size() : 0);
  for_chunks(step_laws_.size(), 512, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      bonded_[i] = is_bonded(found[i]) ? 1 : 0;
      step_laws_[i] = step_law(found[i], place_of(i), bonded_[i] != 0);
    }
  });
}

// The shocks of the step, on the velocities of the bodies; those before are kept for recall_velocities.
template <int D>
void Simulation<D>::strike_contacts(StepReport& report) {
  struck_.clear();
  if (model_.shocks != ShockRule::sequential) return;
  std::vector<ShockContact<D>> contacts(detector_.found.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const FoundContact& found = detector_.found[i];
    const ContactPlace place = place_of(i);
    ShockContact<D>& c = contacts[i];
    c.a = found.a, c.b = is_obstacle(found.b) ? -1 : found.b;
    c.place.normal = place.normal, c.place.arm_a = place.arm_a, c.place.arm_b = place.arm_b;
    if (is_obstacle(found.b)) c.place.bias = -obstacle_velocity(found.b, place.arm_b);
    c.law = step_laws_[i];
    c.spare = std::max(0.0, place.gap - model_.contact_distance) / model_.time_step;
  }
  velocity_before_ = state_.bodies.state.velocity, spin_before_ = state_.bodies.state.spin;
  // What weight brings in a step is no shock: such contacts last.
  const ShockReport shocks = strike<D>(state_.bodies, poses_, contacts, model_.time_step * norm(model_.gravity), struck_);
  report.shocks = shocks.shocks, report.shocks_ended = shocks.finished;
}

template <int D>
void Simulation<D>::recall_velocities() {
  if (model_.shocks != ShockRule::sequential) return;
  std::swap(state_.bodies.state.velocity, velocity_before_), std::swap(state_.bodies.state.spin, spin_before_);
}

template <int D>
void Simulation<D>::add_law(GeneralContact<D>& contact, std::size_t i) const {
  const FoundContact& found = detector_.found[i];
  const PairLaw& law = law_of(found.a, found.b);
  const Bodies<D>& bodies = state_.bodies;
  contact.law = step_laws_[i];
  contact.direction = law.friction_direction;
  if (!law.rolls()) return;
  const auto curvature = [&](std::int32_t b) {
    const std::size_t j = static_cast<std::size_t>(b);
    return is_wall(b) || !bodies.is_round(j) ? 0.0 : 1.0 / bodies.parameters.radius[j];
  };
  contact.rolling = law.rolling, contact.pivoting = law.pivoting;
  contact.radius = reduced_radius(curvature(found.a), curvature(found.b));
  if (is_obstacle(found.b)) contact.spin_bias = -obstacle_spin(found.b);
  if (found.recalled >= 0 && !state_.contacts.couple.empty())
    contact.couple =
        (model_.time_step / state_.impulse_time_step) * state_.contacts.couple[static_cast<std::size_t>(found.recalled)];
}

// Spin of a relative to b at the beginning of the step.
template <int D>
Spin<D> Simulation<D>::relative_spin(std::size_t a, std::int32_t b) const {
  const std::vector<Spin<D>>& spin = state_.bodies.state.spin;
  return spin[a] - (is_wall(b) ? obstacle_spin(b) : spin[static_cast<std::size_t>(b)]);
}

template void Simulation<2>::evaluate_laws();
template void Simulation<3>::evaluate_laws();
template void Simulation<2>::strike_contacts(StepReport&);
template void Simulation<3>::strike_contacts(StepReport&);
template void Simulation<2>::recall_velocities();
template void Simulation<3>::recall_velocities();
template bool Simulation<2>::is_bonded(const FoundContact&) const;
template bool Simulation<3>::is_bonded(const FoundContact&) const;
template StepLaw Simulation<2>::step_law(const FoundContact&, const ContactPlace&, bool) const;
template StepLaw Simulation<3>::step_law(const FoundContact&, const ContactPlace&, bool) const;
template void Simulation<2>::add_law(GeneralContact<2>&, std::size_t) const;
template void Simulation<3>::add_law(GeneralContact<3>&, std::size_t) const;
template Spin<2> Simulation<2>::relative_spin(std::size_t, std::int32_t) const;
template Spin<3> Simulation<3>::relative_spin(std::size_t, std::int32_t) const;

}  // namespace moreau
