// Stones of a survey overlap by fractions of a millimetre: they are moved apart, and where that does not suffice made smaller.
#pragma once

#include "moreau/scene/read/read_grains.hpp"

namespace moreau::inline scene {

template <int D>
struct StoneCorners {
  std::vector<Vec<D>> corners;
  GrainKind<D> kind;
};

struct TakenApart {
  double deepest = 0.0;         // overlap found
  std::size_t overlapping = 0;  // pairs
  std::size_t moved = 0;        // stones
  double farthest = 0.0;        // displacement of a stone
  std::size_t shrunk = 0;       // stones
  double smallest = 1.0;        // factor on the lengths of a stone
  bool clean = true;            // false: some still overlap, or one overlapped by more than was allowed
};

// Changes the corners so that free stones overlap neither each other nor what is already in the scene, unless some pair overlaps
// by more than `allowed`. Rounds of moving: each overlapping pair is pushed apart along its normal, half each, or all of it if
// the other is not free. A stone is moved by at most three times `allowed`; after sixty sweeps stones that still overlap are
// shrunk about their middle by the share of the overlap in their size, and the sweeps begin anew.
template <int D>
TakenApart take_apart(std::vector<StoneCorners<D>>& stones, const Scene<D>& scene, double allowed);

}  // namespace moreau::inline scene
