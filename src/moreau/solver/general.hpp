// Contacts between bodies of any shape under laws beyond Coulomb's (docs/laws.md): a bound on the tangent with shear strength and
// cap, tension, an ellipse instead of a circle of friction, and, where `rolls`, couples against rolling.
//
// The layout is that of shaped.hpp with two differences. Tangents carry the ellipse: t_1 and t_2, along and across its direction,
// are multiplied by what the coefficients of friction there are over their geometric mean. In the components P_i' = P_i / s_i,
// w_i' = s_i w_i so defined the law is isotropic, and power stays what it is; the frame that makes S diagonal is found after
// that. And couples follow as further rows, as in general_round.hpp.
#pragma once

#include "moreau/solver/general_round.hpp"
#include "moreau/solver/shaped.hpp"

namespace moreau::inline solver {

// Eight contacts of one colour (sixteen in single precision); unused lanes have a = b = none and are zero.
template <int D, bool rolls, class Real = double>
struct alignas(lane_bytes) GeneralPack : LawLanes<D, rolls, Real> {
  static constexpr int lanes = lanes_of<Real>;
  Real normal[D][lanes];
  Real tangent[D - 1][D][lanes];
  Real arm_a[D][lanes], arm_b[D][lanes];
  Real inverse_normal[lanes];   // 1 / H_NN
  Real coupling[D - 1][lanes];  // H_NT
  Real schur[D - 1][lanes];     // eigenvalues of S
  std::int32_t a[lanes], b[lanes];
};

template <int D, bool rolls_>
struct General {
  static constexpr int dimension = D;
  static constexpr bool rolls = rolls_;
  static constexpr int rows = LawLanes<D, rolls, double>::rows;
  static constexpr ContactKind kind = rolls ? ContactKind::shaped_rolling : ContactKind::shaped_law;
  static constexpr bool any_shape = true;
  template <class Real>
  using PackOf = GeneralPack<D, rolls, Real>;
  using Pack = GeneralPack<D, rolls>;

  template <class F, class... B>
  static void each_row(F&& f, B&... pack) {  // as in Round
    each_row_of_operator<D>(f, pack...);
    for (int i = 0; i < D - 1; ++i)
      for (int d = 0; d < D; ++d) f(RowUnit::number, 0, pack.tangent[i][d]...);
    each_row_of_law<rows, rolls>(f, pack...);
  }

  static void pack(Pack& pack, int lane, const Mobility<D>& a, const Mobility<D>& b, const GeneralContact<D>& contact);
  static void split(Pack& pack, int lane, const Mobility<D>& a, const Mobility<D>& b, Occurrences k);
  static Vec<D> in_frame(const Pack& pack, std::size_t lane, const Vec<D>& velocity);
  static Vec<D> normal(const Pack& pack, std::size_t lane) {
    Vec<D> n;
    for (int d = 0; d < D; ++d) n[d] = pack.normal[d][lane];
    return n;
  }
  static Vec<D> impulse(const Pack& pack, std::size_t lane);
  static Spin<D> couple(const Pack& pack, std::size_t lane) { return couple_in<D>(pack, lane); }
  static ContactRow<D> row(const Pack& pack, std::size_t lane);
  static CoupleRow<D> couple_row(const Pack& pack, std::size_t lane) requires rolls { return couple_row_of<D>(pack, lane); }
  static void set_impulse(Pack& pack, std::size_t lane, const StepContact<D>& c) {
    for (int k = 0; k < D; ++k) pack.impulse[k][lane] = c.impulse[k];
    pack.impulse[0][lane] -= c.tension;
  }
  static void set_couple(Pack& pack, std::size_t lane, const StepContact<D>& c) requires rolls { set_couple_of(pack, lane, c); }
};

template <int D>
using Bounded = General<D, false>;
template <int D>
using Rolling = General<D, true>;

}  // namespace moreau::inline solver
