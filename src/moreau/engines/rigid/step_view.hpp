// The contacts of a step as its stages see them: read only, from model, state and workspace.
#pragma once

#include <algorithm>

#include "moreau/dynamics/contact_records.hpp"
#include "moreau/engines/rigid/workspace.hpp"

namespace moreau::inline engines {

// Where a contact is, seen from its two bodies.
template <int D>
struct ContactGeometry {
  Vec<D> normal;        // towards a
  Vec<D> arm_a, arm_b;  // from the centres to the contact; arm_b of a wall from the origin of space
  double gap;
  Vec<D> shift;  // from b to its image at the contact
};

template <int D>
struct StepView {
  const Model<D>& model;
  const State<D>& state;
  const Workspace<D>& work;

  // q_m of every body: positions are advanced by half a step in place, and by the other half when the step ends.
  const std::vector<Vec<D>>& midpoint() const { return state.bodies.state.position; }
  // A wall or a body whose motion does not depend on the contact impulse.
  bool is_obstacle(std::int32_t b) const { return is_wall(b) || !state.bodies.is_free(static_cast<std::size_t>(b)); }
  const PairLaw& law_of(std::int32_t a, std::int32_t b) const { return moreau::law_of(model, state.bodies, a, b); }
  double smaller_radius(std::int32_t a, std::int32_t b) const {
    const std::vector<double>& radius = state.bodies.parameters.radius;
    const double r = radius[static_cast<std::size_t>(a)];
    return is_wall(b) ? r : std::min(r, radius[static_cast<std::size_t>(b)]);
  }
  // Between round bodies, or a round body and an obstacle of any shape: the first body is touched where its surface meets the
  // normal.
  bool touches_round(const FoundContact& found) const {
    const Bodies<D>& bodies = state.bodies;
    return bodies.is_round(static_cast<std::size_t>(found.a)) &&
           (is_obstacle(found.b) || bodies.is_round(static_cast<std::size_t>(found.b)));
  }
  ContactKind kind_of(std::size_t i) const { return work.kinds.empty() ? ContactKind::round : work.kinds[i]; }

  // Contact i of the detector, at the midpoint; and once the bodies have left it.
  ContactGeometry<D> geometry_of(std::size_t i) const;
  ContactGeometry<D> solved_geometry(std::size_t i) const;
  Vec<D> branch(const FoundContact& found, const ContactGeometry<D>& geometry) const;

  // Velocities. What a change of the gradient of a deforming cell adds to that of a body:
  Vec<D> affine(const Matrix<D>& change, std::size_t body) const { return change * (midpoint()[body] - work.centre); }
  // Velocity that the gradient of a deforming cell gives to a point.
  Vec<D> affine_at(const Vec<D>& point) const {
    return model.cell.deforms ? work.apparatus.gradient * (point - work.centre) : Vec<D>{};
  }
  // Of a wall over the step, where it is touched: of its piston, and of the cell with which it is deformed.
  Vec<D> wall_velocity_change(std::size_t wall, const Vec<D>& point) const {
    const Vec<D> change = work.apparatus.wall_velocity_change(wall);
    return model.cell.deforms ? change + work.apparatus.gradient_change() * (point - work.centre) : change;
  }
  Vec<D> obstacle_velocity(std::int32_t b, const ContactGeometry<D>& geometry) const;
  // Of a wall or a body that does not move freely; the wall stays where it is, its surface turns.
  Spin<D> obstacle_spin(std::int32_t b) const {
    return is_wall(b) ? work.wall_surface[static_cast<std::size_t>(wall_index(b))].spin
                      : state.bodies.state.spin[static_cast<std::size_t>(b)];
  }
  Vec<D> relative_velocity(std::size_t a, std::int32_t b, const ContactGeometry<D>& geometry) const;
  Vec<D> mean_velocity(const FoundContact& found, const ContactGeometry<D>& geometry) const;
  // At the end of the step, with what the deforming cell adds.
  Vec<D> final_velocity(std::size_t body) const {
    const Vec<D> v = work.problem.solved_velocity(body);
    return work.apparatus.cell_motions().empty() ? v : v + affine(work.apparatus.gradient_change(), body);
  }
  double work_of_surroundings(std::size_t i, const Vec<D>& impulse, const ContactGeometry<D>& geometry) const;

  // Laws.
  bool has_constant_law(const FoundContact& found) const;
  bool is_being_joined(const FoundContact& found) const;  // in this step
  JointBond joint_of(const FoundContact& found) const;    // as the step begins
  // `area`: the share of the area of its joint, where strengths are stresses.
  StepLaw step_law(const FoundContact& found, const ContactGeometry<D>& geometry, bool bonded, double area) const;
  ShiftRule shift_rule(bool bonded) const;
  double compliance(const FoundContact& found, const ContactGeometry<D>& geometry) const;
  // All that does not depend on laws beyond Coulomb's; what such laws add; and both.
  GeneralContact<D> formal_contact(const FoundContact& found, const ContactGeometry<D>& geometry, const StepLaw& law,
                                   bool bonded) const;
  void add_law(GeneralContact<D>& contact, std::size_t i) const;
  GeneralContact<D> contact_of(std::size_t i, const ContactGeometry<D>& geometry) const;
};

}  // namespace moreau::inline engines
