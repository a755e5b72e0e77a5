// The layout of contacts between bodies of any shape under Coulomb's law (shaped.hpp), here and on a graphics card.
#pragma once

#include <cstdint>

#include "moreau/base/lanes.hpp"
#include "moreau/solver/contact_kind.hpp"

namespace moreau::inline solver {

// First tangent of the frames in space; the second is normal x tangent. In the plane the tangent is the normal turned left.
template <int D, class Real>
struct TangentLanes {};
template <class Real>
struct TangentLanes<3, Real> {
  Real tangent[3][lanes_of<Real>];
};

// Eight contacts of one colour (sixteen in single precision); unused lanes have a = b = none and are zero.
template <int D, class Real = double>
struct alignas(lane_bytes) ShapedPack : TangentLanes<D, Real> {
  static constexpr int lanes = lanes_of<Real>;
  Real normal[D][lanes];
  Real arm_a[D][lanes], arm_b[D][lanes];
  Real impulse[D][lanes];       // normal first
  Real bias[D][lanes];          // normal first
  Real inverse_normal[lanes];   // 1 / H_NN
  Real coupling[D - 1][lanes];  // H_NT
  Real schur[D - 1][lanes];     // eigenvalues of S
  Real friction[lanes];
  std::int32_t a[lanes], b[lanes];
};

// The rows that all packs with a full operator have.
template <int D, class F, class... B>
MOREAU_BOTH void each_row_of_operator(F&& f, B&... pack) {
  for (int d = 0; d < D; ++d) {
    f(RowUnit::number, 0, pack.normal[d]...);
    f(RowUnit::number, 0, pack.arm_a[d]...);
    f(RowUnit::number, 0, pack.arm_b[d]...);
  }
  f(RowUnit::mass, 1, pack.inverse_normal...);
  for (int i = 0; i < D - 1; ++i) f(RowUnit::inverse_mass, 0, pack.coupling[i]...), f(RowUnit::inverse_mass, 1, pack.schur[i]...);
  f(RowUnit::number, 0, pack.friction...);
}
template <int D, class F, class... B>
MOREAU_BOTH void each_row_of_shaped(F&& f, B&... pack) {  // as each_row_of_round
  each_row_of_operator<D>(f, pack...);
  if constexpr (D == 3)
    for (int d = 0; d < D; ++d) f(RowUnit::number, 0, pack.tangent[d]...);
  for (int d = 0; d < D; ++d) f(RowUnit::impulse, 0, pack.impulse[d]...), f(RowUnit::velocity, 0, pack.bias[d]...);
}

// An eigenvalue of the Schur complement below a unit of rounding of the operator has no meaning.
template <class Pack>
MOREAU_BOTH void floor_eigenvalues(Pack& pack, int l) {
  constexpr float epsilon = 0x1p-23f;
  float tangential = 0.0f;
  constexpr int tangents = static_cast<int>(sizeof(pack.schur) / sizeof(pack.schur[0]));
  for (int i = 0; i < tangents; ++i)
    tangential += pack.schur[i][l] + pack.coupling[i][l] * pack.inverse_normal[l] * pack.coupling[i][l];
  for (int i = 0; i < tangents; ++i) {
    const float least = 4.0f * epsilon * tangential;
    pack.schur[i][l] = pack.schur[i][l] < least ? least : pack.schur[i][l];
  }
}

}  // namespace moreau::inline solver
