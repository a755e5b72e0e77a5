// A dense random bed of balls under gravity, for benchmarks: a block of about a thousand is settled in a box, then mirrored side
// by side until there are enough. A ball that touches a side wall of the block touches its own image afterwards, so the bed has
// no seams.
#pragma once

#include "moreau/bodies/bodies.hpp"
#include "moreau/dynamics/model.hpp"

namespace moreau {

template <int D>
struct DensePacking {
  Model<D> model;    // gravity 9.81, friction 0.5, box of planes with open top, predictive rule, mean diameter 1, density 6/pi
  Bodies<D> bodies;  // k^(D-1) blocks: as near to `count` as that allows, not above it
};

template <int D>
DensePacking<D> dense_packing(std::size_t count, std::uint64_t seed = 1);

}  // namespace moreau
