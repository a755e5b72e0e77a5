#pragma once

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::inline dynamics {

// The first source that has grains for the beginning of the next step; null if none has.
template <int D>
const Source<D>* source_due(const Model<D>& model, const State<D>& state);

}  // namespace moreau::inline dynamics
