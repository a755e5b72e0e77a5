// The layout of contacts between round bodies under Coulomb's law (round.hpp), here and on a graphics card.
#pragma once

#include <cstdint>

#include "moreau/base/lanes.hpp"
#include "moreau/solver/contact_kind.hpp"

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

// f(unit, content of a lane without contact, the same row of all packs): lanes without contact relax to zero.
template <int D, class F, class... B>
MOREAU_BOTH void each_row_of_round(F&& f, B&... pack) {
  for (int d = 0; d < D; ++d) {
    f(RowUnit::number, 0, pack.normal[d]...);
    f(RowUnit::impulse, 0, pack.impulse[d]...);
    f(RowUnit::velocity, 0, pack.bias[d]...);
  }
  f(RowUnit::mass, 1, pack.inverse_normal...);
  f(RowUnit::mass, 1, pack.inverse_tangent...);
  f(RowUnit::number, 0, pack.friction...);
}

}  // namespace moreau::inline solver
