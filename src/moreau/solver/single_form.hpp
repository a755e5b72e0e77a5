// The iterate in single precision: packs of sixteen contacts, half the bytes. The sweeps that bring an iterate
// near the solution are made on it; what they led to is brought back to double precision, swept there once more and judged there.
//
// Two packs of a colour become one, so that a contact keeps its place (pack times lanes plus lane): colours must have an even
// number of packs. Packs of the overflow stay packs of eight.
#pragma once

#include "moreau/solver/iterate.hpp"

namespace moreau::inline solver {

template <int D>
void to_single(const Iterate<D, double>& exact, const Units& units, Iterate<D, float>& single);

// The impulses; velocities are to be computed from them.
template <int D>
void impulses_from_single(const Iterate<D, float>& single, Iterate<D, double>& exact);

}  // namespace moreau::inline solver
