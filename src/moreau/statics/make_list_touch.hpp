// The first thing to be tried with a list that was inherited.
#pragma once

#include "moreau/statics/load.hpp"

namespace moreau::statics {

// Newton's method on the gaps of the list that pushes makes its contacts touch, with the normals and the forces of where they do. The
// state becomes that equilibrium if all contacts still push there and nothing overlaps; else it stays, and the finisher
// (finish.hpp) may find another list.
template <int D>
bool make_list_touch(const Model<D>& model, State<D>& state, const Load<D>& load);

}  // namespace moreau::statics
