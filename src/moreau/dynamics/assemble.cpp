// From the contacts that were found to the problem of the step.
#include "moreau/dynamics/simulation.hpp"

namespace moreau {

template <int D>
typename Simulation<D>::ContactPlace Simulation<D>::place_of(std::size_t i) const {
  const FoundContact& found = detector_.found[i];
  const std::size_t a = static_cast<std::size_t>(found.a);
  const Vec<D> shift = detector_.image.empty() ? Vec<D>{} : apparatus_.lattice.shift(detector_.image[i]);
  if (const TouchingPoint<D>* where = detector_.point_of(i)) {
    ContactPlace place{where->normal, where->point - midpoint()[a], where->point, where->gap, shift};
    if (!is_wall(found.b)) place.arm_b -= midpoint()[static_cast<std::size_t>(found.b)] + shift;
    if (touches_round(found)) place.arm_a = -state_.bodies.parameters.radius[a] * where->normal;
    return place;
  }
  const Separation<D> s = separation_of(state_.bodies, midpoint(), around_, found.a, found.b, shift);
  const std::vector<double>& radius = state_.bodies.parameters.radius;
  const Vec<D> arm_a = -radius[a] * s.normal;
  const Vec<D> arm_b = is_wall(found.b) ? midpoint()[a] + arm_a : radius[static_cast<std::size_t>(found.b)] * s.normal;
  return {s.normal, arm_a, arm_b, s.gap, shift};
}

// Velocity of the obstacle b (a wall, or a body that does not move freely) where it touches.
template <int D>
Vec<D> Simulation<D>::obstacle_velocity(std::int32_t b, const Vec<D>& arm) const {
  if (is_wall(b)) {
    const std::size_t w = static_cast<std::size_t>(wall_index(b));
    const Vec<D>& v = apparatus_.wall_velocity[w];
    return model_.walls[w].surface < 0 ? v : v + wall_surface_[w].at(arm);
  }
  const std::size_t j = static_cast<std::size_t>(b);
  return state_.bodies.state.velocity[j] + cross(state_.bodies.state.spin[j], arm);
}

// Velocity of body a relative to b where they touch, at the beginning of the step.
template <int D>
Vec<D> Simulation<D>::relative_velocity(std::size_t a, std::int32_t b, const ContactPlace& place) const {
  const BodyState<D>& s = state_.bodies.state;
  return s.velocity[a] + cross(s.spin[a], place.arm_a) - obstacle_velocity(b, place.arm_b) - apparatus_.gradient * place.shift;
}

// Free velocities u_free = u_i + h g, contacts with their recalled impulses.
template <int D>
void Simulation<D>::assemble() {
  const std::vector<FoundContact>& found = detector_.found;
  const std::vector<Sharing<D>> sharings = share();
  std::fill(std::begin(sharing_sum_), std::end(sharing_sum_), 0.0);
  for (const Sharing<D>& s : sharings) sharing_sum_[s.motion] += norm(s.direction);
  const Vec<D> gravity = model_.gravity_at(state_.time + 0.5 * model_.time_step);
  problem_.set_bodies(state_.bodies, poses_, state_.order, model_.time_step * gravity);
  const auto bodies_of = [&](std::size_t i) {
    const std::int32_t b = found[i].b;
    return std::pair<std::int32_t, std::int32_t>{found[i].a, is_obstacle(b) ? -1 : b};
  };
  problem_.place_contacts(detector_.row, bodies_of, [&](std::size_t i) { return kind_of(i); });
  pack_contacts();
  problem_.split_masses();
  problem_.set_shared_motions(apparatus_.motions(), sharings);
}

template <int D>
ShiftRule Simulation<D>::shift_rule(bool bonded) const {  // a joint keeps the distance at which it was made
  return {model_.shocks == ShockRule::together, model_.rule == ContactRule::predictive && !bonded, model_.time_step,
          model_.time_step * norm(model_.gravity)};
}

// The constant part of the formal velocity: rho U_N + W_N along the normal, tau U_T + W_T across it, where U is the relative
// velocity at the beginning of the step and W minus the velocity of the obstacle (Moreau 2003, below eq. 42, written with U = G
// u_i + W).
template <int D>
GeneralContact<D> Simulation<D>::formal_contact(const FoundContact& found, const ContactPlace& place, const StepLaw& law,
                                                bool bonded) const {
  const std::int32_t b = found.b;
  const Vec<D>& n = place.normal;

  GeneralContact<D> c;
  c.normal = n, c.arm_a = place.arm_a, c.arm_b = place.arm_b;
  if (found.recalled >= 0) {
    const std::size_t old = static_cast<std::size_t>(found.recalled);
    c.impulse =
        transported(state_.contacts.impulse[old], state_.contacts.normal[old], n, model_.time_step / state_.impulse_time_step);
  }
  c.friction = law.friction;
  const Vec<D> u = relative_velocity(static_cast<std::size_t>(found.a), b, place);
  const double u_n = dot(u, n);
  const ShiftRule rule = shift_rule(bonded);
  const double shift = formal_shift(rule, place.gap, u_n, law.normal_restitution);
  c.bias = shift * n;
  if (rule.strikes) c.bias += law.tangential_restitution * (u - u_n * n);
  if (is_obstacle(b)) c.bias -= obstacle_velocity(b, place.arm_b);
  if (!apparatus_.motions().empty()) c.compliance = compliance(found, place);
  return model_.cell.deforms ? c.bias -= apparatus_.gradient * place.shift, c : c;
}

template typename Simulation<2>::ContactPlace Simulation<2>::place_of(std::size_t) const;
template typename Simulation<3>::ContactPlace Simulation<3>::place_of(std::size_t) const;
template Vec<2> Simulation<2>::obstacle_velocity(std::int32_t, const Vec<2>&) const;
template Vec<3> Simulation<3>::obstacle_velocity(std::int32_t, const Vec<3>&) const;
template Vec<2> Simulation<2>::relative_velocity(std::size_t, std::int32_t, const ContactPlace&) const;
template Vec<3> Simulation<3>::relative_velocity(std::size_t, std::int32_t, const ContactPlace&) const;
template ShiftRule Simulation<2>::shift_rule(bool) const;
template ShiftRule Simulation<3>::shift_rule(bool) const;
template void Simulation<2>::assemble();
template void Simulation<3>::assemble();
// For step_problem() and pack_contacts().
template GeneralContact<2> Simulation<2>::formal_contact(const FoundContact&, const ContactPlace&, const StepLaw&, bool) const;
template GeneralContact<3> Simulation<3>::formal_contact(const FoundContact&, const ContactPlace&, const StepLaw&, bool) const;

}  // namespace moreau
