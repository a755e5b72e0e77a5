// The iterate in single precision: blocks of sixteen contacts, half the bytes. The sweeps that bring an iterate
// near the solution are made on it; what they led to is brought back to double precision, swept there once more and judged there.
//
// Two blocks of a colour become one, so that a contact keeps its place (block times lanes plus lane): colours must have an even
// number of blocks. Blocks of the overflow stay blocks of eight.
#pragma once

#include "moreau/solver/iterate.hpp"

namespace moreau {

template <int D>
void to_single(const Iterate<D, double>& exact, const Units& units, Iterate<D, float>& single);

// The impulses; velocities are to be computed from them.
template <int D>
void impulses_from_single(const Iterate<D, float>& single, Iterate<D, double>& exact);

}  // namespace moreau
