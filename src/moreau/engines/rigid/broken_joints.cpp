#include "moreau/engines/rigid/broken_joints.hpp"

#include <algorithm>

namespace moreau::inline engines {

template <int D>
std::vector<LostJoint<D>> lost_joints(const State<D>& state, const std::vector<FoundContact>& found) {
  const ContactTable<D>& table = state.contacts;
  std::vector<LostJoint<D>> lost;
  if (std::ranges::none_of(table.condition, &ContactCondition::bonded)) return lost;
  std::vector<bool> kept(table.size(), false);
  for (const FoundContact& c : found)
    if (c.recalled >= 0) kept[static_cast<std::size_t>(c.recalled)] = true;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (kept[i] || !table.condition[i].bonded()) continue;
    const std::size_t a = static_cast<std::size_t>(table.a[i]);
    const Vec<D> point = table.point.empty()
                             ? state.bodies.state.position[a] - state.bodies.parameters.radius[a] * table.normal[i]
                             : table.point[i];
    lost.push_back({table.a[i], table.b[i], point});
  }
  return lost;
}

template <int D>
void note_broken_joints(const StepView<D>& view, const std::vector<LostJoint<D>>& lost, BrokenJoints<D>& broken) {
  const ContactTable<D>& table = view.state.contacts;
  const double end = view.state.time + view.model.time_step;
  const auto add = [&](std::int32_t a, std::int32_t b, const Vec<D>& point, JointBreak how) {
    broken.time.push_back(end), broken.a.push_back(view.work.name_of(a)), broken.b.push_back(view.work.name_of(b));
    broken.point.push_back(point);
    broken.how.push_back(how);
  };
  for (std::size_t i = 0; i < table.condition.size(); ++i) {
    if (table.condition[i].joint() != JointBond::broken || view.work.joints[i] != JointBond::intact) continue;
    const FoundContact& c = view.work.detector.found[i];
    const ContactGeometry<D> geometry = view.solved_geometry(i);
    const Vec<D> u = view.relative_velocity(static_cast<std::size_t>(c.a), c.b, geometry);
    const double u_n = dot(u, geometry.normal);
    const Vec<D> point = table.point.empty() ? view.midpoint()[static_cast<std::size_t>(c.a)] + geometry.arm_a : table.point[i];
    add(c.a, c.b, point, u_n > norm(u - u_n * geometry.normal) ? JointBreak::opened : JointBreak::slid);
  }
  for (const LostJoint<D>& joint : lost) add(joint.a, joint.b, joint.point, JointBreak::lost);
}

#define MOREAU_INSTANTIATE(D)                                                                        \
  template std::vector<LostJoint<D>> lost_joints(const State<D>&, const std::vector<FoundContact>&); \
  template void note_broken_joints(const StepView<D>&, const std::vector<LostJoint<D>>&, BrokenJoints<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines
