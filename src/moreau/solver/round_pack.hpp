// The layout of contacts between round bodies under Coulomb's law (round.hpp), here and on a graphics card.
#pragma once

#include <cstdint>

#include "moreau/base/lanes.hpp"

namespace moreau::inline solver {

// Eight contacts of one colour (sixteen in single precision); unused lanes have a = b = none and zero normal.
template <int D, class Real = double>
struct alignas(lane_bytes) RoundPack {
  static constexpr int lanes = lanes_of<Real>;
  Real normal[D][lanes];
  Real impulse[D][lanes];
  Real bias[D][lanes];
  Real inverse_normal[lanes];   // 1 / h_N
  Real inverse_tangent[lanes];  // 1 / h_T
  Real friction[lanes];
  std::int32_t a[lanes], b[lanes];
};

}  // namespace moreau::inline solver
