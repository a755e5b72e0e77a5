#include "moreau/engines/rigid/broken_joints.hpp"

#include <algorithm>

#include "moreau/base/parallel.hpp"
#include "moreau/contact/contact_status.hpp"
#include "moreau/engines/rigid/contact_laws.hpp"
#include "moreau/solver/partners.hpp"

namespace moreau::inline engines {

template <int D>
bool is_joint_at_strength(const StepView<D>& view) {
  const Workspace<D>& work = view.work;
  if (work.joints.empty()) return false;
  const auto is_at_strength = [&](std::size_t i) {
    if (work.joints[i] != JointBond::intact) return false;
    const FoundContact& c = work.detector.found[i];
    Vec<D> p = work.problem.impulse(i);
    if (!work.struck.empty()) p += work.struck[i];
    const Vec<D> normal = view.geometry_of(i).normal;
    return status_under(work.step_laws[i], view.law_of(c.a, c.b).friction_direction, p, normal) != ContactStatus::stick;
  };
  const auto any_of = [&](std::size_t begin, std::size_t end) {
    Largest<bool> any{false};
    for (std::size_t i = begin; i < end && !any.value; ++i) any.value = is_at_strength(i);
    return any;
  };
  return reduce_chunks<Largest<bool>>(work.joints.size(), 512, any_of).value;
}

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
  template bool is_joint_at_strength(const StepView<D>&);                                            \
  template std::vector<LostJoint<D>> lost_joints(const State<D>&, const std::vector<FoundContact>&); \
  template void note_broken_joints(const StepView<D>&, const std::vector<LostJoint<D>>&, BrokenJoints<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines
