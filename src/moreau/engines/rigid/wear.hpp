// Wear of walls that are meshes: the work of friction on each face, -P_T . U_T summed over the steps, with U the mean of the
// relative velocities at both ends of a step. What a contact does belongs to the face nearest to its point.
#pragma once

#include "moreau/engines/rigid/step_view.hpp"

namespace moreau::inline engines {

// Before: the table of the step is complete, the bodies of the problem hold the means of the velocities. After: state.wear has
// grown; it stays empty unless some wall wears.
template <int D>
void note_wear(const StepView<D>& view, State<D>& state);

}  // namespace moreau::inline engines
