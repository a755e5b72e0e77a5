// The drag - c m v on every free body, piston and cell.
#pragma once

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau {

template <int D>
void damp(const Model<D>& model, State<D>& state);

}  // namespace moreau
