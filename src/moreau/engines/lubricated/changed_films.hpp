// Films between bodies that were changed from outside: moved by hand, or given other radii.
#pragma once

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::lubricated {

// A thickness is kept beside the positions because it has more digits than they have, and follows the same motion. Where the gap of
// a pair is another one than its film says, or bodies overlap that had no film, all thicknesses are forgotten: the next step begins
// with the gaps of the bodies, as the first one did.
template <int D>
void forget_changed_films(const Model<D>& model, State<D>& state);

}  // namespace moreau::lubricated
