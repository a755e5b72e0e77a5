// The part of the step that laws beyond Coulomb's add: values of the laws, joints, couples.
#include "moreau/engines/rigid/contact_laws.hpp"

#include <algorithm>

#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/dynamics/drag.hpp"
#include "moreau/engines/rigid/joint_areas.hpp"
#include "moreau/engines/rigid/shocks.hpp"
#include "moreau/engines/rigid/stages.hpp"

namespace moreau::inline engines {

// The laws of all contacts of the step, from the velocities with which it begins and the joints that are left.
template <int D>
void evaluate_laws(const Model<D>& model, const State<D>& state, Workspace<D>& work) {
  const StepView<D> view{model, state, work};
  if (model.pair_laws.size() <= 4096) work.needs = law_needs(model.pair_laws);  // they may change between steps
  const bool needed = work.needs.beyond || model.shocks == ShockRule::sequential;
  const std::vector<FoundContact>& found = work.detector.found;
  resize_tightly(work.step_laws, needed ? found.size() : 0), resize_tightly(work.joints, needed ? found.size() : 0);
  find_joint_areas(model, state, work);
  for_chunks(work.step_laws.size(), 512, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double area = work.joint_areas.empty() ? 1.0 : work.joint_areas[i];
      work.joints[i] = view.joint_of(found[i]);
      if (work.joints[i] == JointBond::intact && !(area > 0.0)) work.joints[i] = JointBond::none;  // points have no area
      work.step_laws[i] = view.step_law(found[i], view.geometry_of(i), work.joints[i] == JointBond::intact, area);
    }
  });
}

// The shocks of the step, on the velocities of the bodies; those before are kept for recall_velocities.
template <int D>
void strike_contacts(const Model<D>& model, State<D>& state, Workspace<D>& work, StepReport& report) {
  const StepView<D> view{model, state, work};
  work.struck.clear();
  if (model.shocks != ShockRule::sequential) return;
  std::vector<ShockContact<D>> contacts(work.detector.found.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const FoundContact& found = work.detector.found[i];
    const ContactGeometry<D> geometry = view.geometry_of(i);
    ShockContact<D>& c = contacts[i];
    c.a = found.a, c.b = view.is_obstacle(found.b) ? -1 : found.b;
    c.geometry.normal = geometry.normal, c.geometry.arm_a = geometry.arm_a, c.geometry.arm_b = geometry.arm_b;
    if (view.is_obstacle(found.b)) c.geometry.bias = -view.obstacle_velocity(found.b, geometry);
    c.law = work.step_laws[i];
    c.spare = std::max(0.0, geometry.gap - model.contact_distance) / model.time_step;
  }
  work.velocity_before = state.bodies.state.velocity, work.spin_before = state.bodies.state.spin;
  // What weight brings in a step is no shock: such contacts last.
  const ShockReport shocks =
      strike<D>(state.bodies, work.poses, contacts, model.time_step * norm(model.gravity), work.struck, drag_factor(model));
  report.shocks = shocks.shocks, report.shocks_ended = shocks.finished;
}

template <int D>
void recall_velocities(const Model<D>& model, State<D>& state, Workspace<D>& work) {
  if (model.shocks != ShockRule::sequential) return;
  state.bodies.state.velocity = work.velocity_before, state.bodies.state.spin = work.spin_before;
}

#define MOREAU_INSTANTIATE(D)                                                            \
  template void evaluate_laws(const Model<D>&, const State<D>&, Workspace<D>&);          \
  template void strike_contacts(const Model<D>&, State<D>&, Workspace<D>&, StepReport&); \
  template void recall_velocities(const Model<D>&, State<D>&, Workspace<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines
