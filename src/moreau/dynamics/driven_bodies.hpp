// Bodies whose motion is prescribed.
#pragma once

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::inline dynamics {

// Where they are at time `to`, turned by what they turn from time `from`, with their velocities of time `moving`.
template <int D>
void place_driven_bodies(const Model<D>& model, State<D>& state, double from, double to, double moving);

}  // namespace moreau::inline dynamics
