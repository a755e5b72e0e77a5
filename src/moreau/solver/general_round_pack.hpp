// The layout of contacts between round bodies under laws beyond Coulomb's (general_round.hpp), here and on a graphics card.
#pragma once

#include "moreau/geometry/vec.hpp"
#include "moreau/solver/round_pack.hpp"

namespace moreau::inline solver {

// Rows of the couples.
template <int D, bool rolls, class Real>
struct CoupleLanes {};
template <int D, class Real>
struct CoupleLanes<D, true, Real> {
  static constexpr int lanes = lanes_of<Real>;
  Real rolling[lanes], pivoting[lanes];
  Real radius[lanes];                 // R, in units of length: not scaled
  Real turn_a[lanes], turn_b[lanes];  // R over the lengths of the bodies
  Real inverse_turning[lanes];        // 1 / R^2 (largest of I_a^-1 + I_b^-1)
};
template <class F, class... B>
MOREAU_BOTH void each_row_of_couple(F&& f, B&... pack) {
  f(RowUnit::number, 0, pack.rolling...), f(RowUnit::number, 0, pack.pivoting...), f(RowUnit::number, 0, pack.radius...);
  f(RowUnit::number, 0, pack.turn_a...), f(RowUnit::number, 0, pack.turn_b...);
  f(RowUnit::mass, 1, pack.inverse_turning...);
}

// The rows of force and couple, and of the bound: the same for bodies of any shape.
template <int D, bool rolls, class Real>
struct LawLanes : CoupleLanes<D, rolls, Real> {
  static constexpr int rows = rolls ? D + spin_dimension<D> : D, lanes = lanes_of<Real>;
  Real impulse[rows][lanes];  // force, then couples over R
  Real bias[rows][lanes];
  Real friction[lanes], shear[lanes], cap[lanes], tension[lanes];
};
template <int rows, bool rolls, class F, class... B>
MOREAU_BOTH void each_row_of_law(F&& f, B&... pack) {
  for (int d = 0; d < rows; ++d) f(RowUnit::impulse, 0, pack.impulse[d]...), f(RowUnit::velocity, 0, pack.bias[d]...);
  f(RowUnit::impulse, 0, pack.shear...), f(RowUnit::impulse, 0, pack.cap...), f(RowUnit::impulse, 0, pack.tension...);
  if constexpr (rolls) each_row_of_couple(f, pack...);
}

template <int D, bool rolls, class Real = double>
struct alignas(lane_bytes) GeneralRoundPack : LawLanes<D, rolls, Real> {
  static constexpr int lanes = lanes_of<Real>;
  Real normal[D][lanes];
  Real inverse_normal[lanes];   // 1 / h_N
  Real inverse_tangent[lanes];  // 1 / h_T
  std::int32_t a[lanes], b[lanes];
};
template <int D, bool rolls, class F, class... B>
MOREAU_BOTH void each_row_of_general_round(F&& f, B&... pack) {  // as each_row_of_round
  for (int d = 0; d < D; ++d) f(RowUnit::number, 0, pack.normal[d]...);
  f(RowUnit::mass, 1, pack.inverse_normal...), f(RowUnit::mass, 1, pack.inverse_tangent...);
  f(RowUnit::number, 0, pack.friction...);
  each_row_of_law<LawLanes<D, rolls, double>::rows, rolls>(f, pack...);
}

}  // namespace moreau::inline solver
