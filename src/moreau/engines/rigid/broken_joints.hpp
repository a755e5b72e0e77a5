// Which joints broke in a step: those that opened or slid, and those whose contact is gone.
#pragma once

#include "moreau/engines/rigid/step_view.hpp"

namespace moreau::inline engines {

template <int D>
struct LostJoint {
  std::int32_t a, b;
  Vec<D> point;
};

// Whether some intact joint is at the border of its strength, with the impulses of the solved problem.
template <int D>
bool is_joint_at_strength(const StepView<D>& view);

// Intact joints of the table of the step before that no contact of this one recalls. Before: that table is still there.
template <int D>
std::vector<LostJoint<D>> lost_joints(const State<D>& state, const std::vector<FoundContact>& found);

// Before: the table of this step is complete. What broke is added to `broken`.
template <int D>
void note_broken_joints(const StepView<D>& view, const std::vector<LostJoint<D>>& lost, BrokenJoints<D>& broken);

}  // namespace moreau::inline engines
