#include "moreau/engines/rigid/step_view.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/law/rolling.hpp"

namespace moreau::inline engines {

template <int D>
ContactGeometry<D> StepView<D>::geometry_of(std::size_t i) const {
  const FoundContact& found = work.detector.found[i];
  const std::size_t a = static_cast<std::size_t>(found.a);
  const Vec<D> shift = work.detector.image.empty() ? Vec<D>{} : work.apparatus.lattice.shift(work.detector.image[i]);
  if (const TouchingPoint<D>* where = work.detector.point_of(i)) {
    ContactGeometry<D> geometry{where->normal, where->point - midpoint()[a], where->point, where->gap, shift};
    if (!is_wall(found.b)) geometry.arm_b -= midpoint()[static_cast<std::size_t>(found.b)] + shift;
    if (touches_round(found)) geometry.arm_a = -state.bodies.parameters.radius[a] * where->normal;
    return geometry;
  }
  const Separation<D> s = separation_of(state.bodies, midpoint(), work.around, found.a, found.b, shift);
  const std::vector<double>& radius = state.bodies.parameters.radius;
  const Vec<D> arm_a = -radius[a] * s.normal;
  const Vec<D> arm_b = is_wall(found.b) ? midpoint()[a] + arm_a : radius[static_cast<std::size_t>(found.b)] * s.normal;
  return {s.normal, arm_a, arm_b, s.gap, shift};
}

// Velocity of the obstacle b (a wall, or a body that does not move freely) where it touches.
template <int D>
Vec<D> StepView<D>::obstacle_velocity(std::int32_t b, const ContactGeometry<D>& geometry) const {
  if (is_wall(b)) {
    const std::size_t w = static_cast<std::size_t>(wall_index(b));
    // A wall beside a cell that deforms is deformed with it, so that it is the same for all images of a body.
    const Vec<D> v = work.apparatus.wall_velocity[w] + affine_at(geometry.arm_b);
    return model.walls[w].surface < 0
               ? v
               : v + surface_velocity(model.walls[w], work.wall_surface[w], geometry.arm_b, geometry.normal);
  }
  const std::size_t j = static_cast<std::size_t>(b);
  return state.bodies.state.velocity[j] + cross(state.bodies.state.spin[j], geometry.arm_b);
}

// Velocity of body a relative to b where they touch, at the beginning of the step.
template <int D>
Vec<D> StepView<D>::relative_velocity(std::size_t a, std::int32_t b, const ContactGeometry<D>& geometry) const {
  const BodyState<D>& s = state.bodies.state;
  return s.velocity[a] + cross(s.spin[a], geometry.arm_a) - obstacle_velocity(b, geometry) -
         work.apparatus.gradient * geometry.shift;
}

// geometry_of(i) once the bodies have left the midpoint.
template <int D>
ContactGeometry<D> StepView<D>::solved_geometry(std::size_t i) const {
  const FoundContact& found = work.detector.found[i];
  const std::size_t a = static_cast<std::size_t>(found.a), b = static_cast<std::size_t>(found.b);
  const std::vector<double>& radius = state.bodies.parameters.radius;
  const BodyState<D>& bodies = state.bodies.state;
  const TouchingPoint<D>* where = work.detector.point_of(i);
  ContactGeometry<D> geometry;
  geometry.normal = where ? where->normal : work.problem.normal(i);
  geometry.gap = state.contacts.gap[i];
  geometry.shift = work.detector.image.empty() ? Vec<D>{} : work.apparatus.lattice.shift(work.detector.image[i]);
  geometry.arm_a = touches_round(found) ? -radius[a] * geometry.normal : where->point - work.poses[a].position;
  if (is_wall(found.b))
    geometry.arm_b = where ? where->point : bodies.position[a] - work.instant.after * bodies.velocity[a] + geometry.arm_a;
  else
    geometry.arm_b = where ? where->point - work.poses[b].position - geometry.shift : radius[b] * geometry.normal;
  return geometry;
}

// P . (mean velocity of what does not move freely: obstacle, image in a deforming cell), of contact i in the table.
template <int D>
double StepView<D>::work_of_surroundings(std::size_t i, const Vec<D>& impulse, const ContactGeometry<D>& geometry) const {
  const std::int32_t b = work.detector.found[i].b;
  double done = 0.0;
  if (is_obstacle(b)) {
    const Vec<D> v = obstacle_velocity(b, geometry);
    done +=
        dot(impulse, is_wall(b) ? v + 0.5 * wall_velocity_change(static_cast<std::size_t>(wall_index(b)), geometry.arm_b) : v);
  }
  if (model.cell.deforms)
    done += dot(impulse, work.apparatus.gradient * geometry.shift + 0.5 * (work.apparatus.gradient_change() * geometry.shift));
  return done;
}

// Mean over the step of the velocity of a relative to b where they touch, what does not move freely counted as at rest.
template <int D>
Vec<D> StepView<D>::mean_velocity(const FoundContact& found, const ContactGeometry<D>& geometry) const {
  const auto at = [&](std::int32_t body, const Vec<D>& arm) {
    const std::size_t i = static_cast<std::size_t>(body);
    return work.problem.solved_velocity(i) + cross(work.problem.solved_spin(i), arm);
  };
  const Vec<D> u = at(found.a, geometry.arm_a);
  return is_obstacle(found.b) ? u : u - at(found.b, geometry.arm_b);
}

// From the centre of the image of b, or the point where a wall is touched, to the centre of a.
template <int D>
Vec<D> StepView<D>::branch(const FoundContact& found, const ContactGeometry<D>& geometry) const {
  if (is_wall(found.b)) return midpoint()[static_cast<std::size_t>(found.a)] - geometry.arm_b;
  return midpoint()[static_cast<std::size_t>(found.a)] - midpoint()[static_cast<std::size_t>(found.b)] - geometry.shift;
}

// What the shared motions add to the operator of a contact (solver/shared_motion.hpp).
template <int D>
double StepView<D>::compliance(const FoundContact& found, const ContactGeometry<D>& geometry) const {
  double sum = 0.0;
  const auto add = [&](std::int32_t motion, double share) {
    const std::size_t m = static_cast<std::size_t>(motion);
    sum += share * work.sharing_sum[m] * work.apparatus.motions()[m].inverse_mass;
  };
  if (is_wall(found.b)) {
    const auto& side = work.apparatus.side(static_cast<std::size_t>(wall_index(found.b)));
    if (side.motion >= 0) add(side.motion, norm(side.direction));
  }
  if (work.apparatus.cell_motions().empty()) return sum;
  const Vec<D> l = branch(found, geometry);
  for (const auto& [motion, p, q] : work.apparatus.cell_motions()) add(motion, std::abs(l[q]));
  return sum;
}

template <int D>
bool StepView<D>::is_being_joined(const FoundContact& found) const {
  const MortarJoint& joint = law_of(found.a, found.b).joint;
  return joint.exists() && joint.bonded_at >= state.time && joint.bonded_at < state.time + model.time_step;
}

// A joint is intact if it was so before, or if this is the step in which the joints are made.
template <int D>
JointBond StepView<D>::joint_of(const FoundContact& found) const {
  if (!law_of(found.a, found.b).joint.exists()) return JointBond::none;
  if (is_being_joined(found)) return JointBond::intact;
  const std::vector<ContactCondition>& before = state.contacts.condition;
  if (found.recalled < 0 || before.empty()) return JointBond::none;
  return before[static_cast<std::size_t>(found.recalled)].joint();
}

template <int D>
StepLaw StepView<D>::step_law(const FoundContact& found, const ContactGeometry<D>& geometry, bool bonded, double area) const {
  const PairLaw& law = law_of(found.a, found.b);
  const Vec<D> u = relative_velocity(static_cast<std::size_t>(found.a), found.b, geometry);
  const double u_n = dot(u, geometry.normal);
  StepLaw step = law_in_step(law, -u_n, norm(u - u_n * geometry.normal), model.time_step, bonded);
  if (bonded && model.joint_is_per_area(law))
    step.tension += (area - 1.0) * model.time_step * law.joint.tension, step.shear *= area;
  if (law.cohesion > 0.0 && !bonded && !cohesion_reaches(geometry.gap, model.contact_distance, smaller_radius(found.a, found.b)))
    step.tension = 0.0;
  return step;
}

template <int D>
ShiftRule StepView<D>::shift_rule(bool bonded) const {  // a joint keeps the distance at which it was made
  return {model.shocks == ShockRule::together, model.rule == ContactRule::predictive && !bonded, work.instant.reach,
          norm(model.gravity), work.mean_radius, state.left_overlap};
}

// The constant part of the formal velocity: rho U_N + W_N along the normal, tau U_T + W_T across it, where U is the relative
// velocity at the beginning of the step and W minus the velocity of the obstacle (Moreau 2003, below eq. 42, written with U = G
// u_i + W).
template <int D>
GeneralContact<D> StepView<D>::formal_contact(const FoundContact& found, const ContactGeometry<D>& geometry, const StepLaw& law,
                                              bool bonded) const {
  const std::int32_t b = found.b;
  const Vec<D>& n = geometry.normal;

  GeneralContact<D> c;
  c.normal = n, c.arm_a = geometry.arm_a, c.arm_b = geometry.arm_b;
  if (found.recalled >= 0) {
    const std::size_t old = static_cast<std::size_t>(found.recalled);
    c.impulse =
        transported(state.contacts.impulse[old], state.contacts.normal[old], n, model.time_step / state.impulse_time_step);
  }
  c.friction = law.friction;
  const Vec<D> u = relative_velocity(static_cast<std::size_t>(found.a), b, geometry);
  const double u_n = dot(u, n);
  const ShiftRule rule = shift_rule(bonded);
  const double shift = formal_shift(rule, geometry.gap, u_n, law.normal_restitution);
  c.bias = shift * n;
  if (rule.strikes) c.bias += law.tangential_restitution * (u - u_n * n);
  if (is_obstacle(b)) c.bias -= obstacle_velocity(b, geometry);
  if (!work.apparatus.motions().empty()) c.compliance = compliance(found, geometry);
  return model.cell.deforms ? c.bias -= work.apparatus.gradient * geometry.shift, c : c;
}

template <int D>
bool StepView<D>::has_constant_law(const FoundContact& found) const {
  return work.step_laws.empty() || !law_of(found.a, found.b).varies();
}

// All that the packing of one contact needs of the step.
template <int D>
GeneralContact<D> StepView<D>::contact_of(std::size_t i, const ContactGeometry<D>& geometry) const {
  const FoundContact& found = work.detector.found[i];
  const PairLaw& law = law_of(found.a, found.b);
  if (work.step_laws.empty())
    return formal_contact(found, geometry, {law.friction, law.normal_restitution, law.tangential_restitution}, false);
  GeneralContact<D> contact = formal_contact(found, geometry, work.step_laws[i], work.joints[i] == JointBond::intact);
  if (law.bounded()) add_law(contact, i);
  return contact;
}

template <int D>
void StepView<D>::add_law(GeneralContact<D>& contact, std::size_t i) const {
  const FoundContact& found = work.detector.found[i];
  const PairLaw& law = law_of(found.a, found.b);
  const Bodies<D>& bodies = state.bodies;
  contact.law = work.step_laws[i];
  contact.direction = law.friction_direction;
  if (!law.rolls()) return;
  const auto curvature = [&](std::int32_t b) {
    const std::size_t j = static_cast<std::size_t>(b);
    return is_wall(b) || !bodies.is_round(j) ? 0.0 : 1.0 / bodies.parameters.radius[j];
  };
  contact.rolling = law.rolling, contact.pivoting = law.pivoting;
  contact.radius = reduced_radius(curvature(found.a), curvature(found.b));
  if (is_obstacle(found.b)) contact.spin_bias = -obstacle_spin(found.b);
  if (found.recalled >= 0 && !state.contacts.couple.empty())
    contact.couple =
        (model.time_step / state.impulse_time_step) * state.contacts.couple[static_cast<std::size_t>(found.recalled)];
}

template struct StepView<2>;
template struct StepView<3>;

}  // namespace moreau::inline engines
