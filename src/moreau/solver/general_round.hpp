// Contacts between round bodies under laws beyond Coulomb's (docs/laws.md): a bound on the tangent with shear strength and cap,
// tension, and, where `rolls`, couples against rolling. The operator is that of round.hpp, so that the force is known in closed
// form (law/bounded_round.hpp); couples follow as further rows: impulses M / R in the laboratory frame, R the reduced radius
// (law/rolling.hpp). Friction that depends on the direction goes to general.hpp.
#pragma once

#include "moreau/solver/general_round_pack.hpp"
#include "moreau/solver/round.hpp"

namespace moreau::inline solver {

// All but impulse and bias of the force. `turning`: largest of what a unit of couple brings in spin, both divided by R.
template <class Pack, int D>
void pack_law(Pack& pack, int lane, const GeneralContact<D>& c, double turning) {
  pack.friction[lane] = c.law.friction;
  pack.shear[lane] = c.law.shear, pack.cap[lane] = c.law.cap, pack.tension[lane] = c.law.tension;
  if constexpr (requires { pack.rolling; }) {
    const bool curved = c.radius > 0.0;  // between two flat faces there is nothing to roll
    const double radius = curved ? c.radius : 1.0;
    pack.radius[lane] = radius, pack.turn_a[lane] = c.turn_a, pack.turn_b[lane] = c.turn_b;
    pack.rolling[lane] = curved ? c.rolling : 0.0, pack.pivoting[lane] = curved ? c.pivoting : 0.0;
    pack.inverse_turning[lane] = turning > 0.0 ? 1.0 / turning : 0.0;
    for (int d = 0; d < spin_dimension<D>; ++d)
      pack.impulse[D + d][lane] = c.couple[d] / radius, pack.bias[D + d][lane] = radius * c.spin_bias[d];
  }
}
template <int D, class Pack>
Spin<D> couple_in(const Pack& pack, std::size_t lane) {
  Spin<D> m{};
  if constexpr (requires { pack.radius; })
    for (int d = 0; d < spin_dimension<D>; ++d) m[d] = pack.radius[lane] * pack.impulse[D + d][lane];
  return m;
}

// For the error estimate and the finishing solver (step_system.hpp).
template <int D, class Pack>
void put_law(const Pack& pack, std::size_t lane, ContactRow<D>& row) {
  row.bound = {pack.friction[lane], pack.shear[lane], pack.cap[lane]}, row.tension = pack.tension[lane];
}
template <int D, class Pack>
CoupleRow<D> couple_row_of(const Pack& pack, std::size_t lane) {
  CoupleRow<D> row;
  for (int d = 0; d < spin_dimension<D>; ++d) row.bias[d] = pack.bias[D + d][lane], row.impulse[d] = pack.impulse[D + d][lane];
  row.turn_a = pack.turn_a[lane], row.turn_b = pack.turn_b[lane];
  row.rolling = pack.rolling[lane], row.pivoting = D == 3 ? pack.pivoting[lane] : 0.0;
  return row;
}
template <class Pack, int D>
void set_couple_of(Pack& pack, std::size_t lane, const StepContact<D>& c) {
  for (int d = 0; d < spin_dimension<D>; ++d) {
    double sum = 0.0;
    if constexpr (D == 2)
      sum = c.impulse[1];
    else
      for (int k = 0; k < D; ++k) sum += c.impulse[k] * c.frame[k][d];
    pack.impulse[D + d][lane] = sum;
  }
}

template <int D, bool rolls>
struct GeneralRound {
  static constexpr int dimension = D, rows = LawLanes<D, rolls, double>::rows;
  static constexpr ContactKind kind = rolls ? ContactKind::round_rolling : ContactKind::round_law;
  static constexpr bool any_shape = false;
  template <class Real>
  using PackOf = GeneralRoundPack<D, rolls, Real>;
  using Pack = GeneralRoundPack<D, rolls>;

  template <class F, class... B>
  static void each_row(F&& f, B&... pack) {
    each_row_of_general_round<D, rolls>(f, pack...);
  }

  static void pack(Pack& pack, int lane, const Mobility<D>& a, const Mobility<D>& b, const GeneralContact<D>& c) {
    const double normal = a.inverse_mass + b.inverse_mass + c.compliance;
    for (int d = 0; d < D; ++d)
      pack.normal[d][lane] = c.normal[d], pack.impulse[d][lane] = c.impulse[d], pack.bias[d][lane] = c.bias[d];
    pack.inverse_normal[lane] = 1.0 / normal;
    pack.inverse_tangent[lane] = 1.0 / (normal + a.inverse_inertia[0] + b.inverse_inertia[0]);
    pack_law(pack, lane, c, c.turn_a * c.turn_a * a.inverse_inertia[0] + c.turn_b * c.turn_b * b.inverse_inertia[0]);
  }
  static void split(Pack& pack, int lane, const Mobility<D>& a, const Mobility<D>& b, Occurrences k) {
    split_round(pack, lane, a, b, k);
    if constexpr (rolls)
      if (pack.inverse_turning[lane] > 0.0)
        pack.inverse_turning[lane] =
            1.0 / (1.0 / pack.inverse_turning[lane] + (k.a - 1) * pack.turn_a[lane] * pack.turn_a[lane] * a.inverse_inertia[0] +
                   (k.b - 1) * pack.turn_b[lane] * pack.turn_b[lane] * b.inverse_inertia[0]);
  }
  static Vec<D> in_frame(const Pack&, std::size_t, const Vec<D>& v) { return v; }
  static Vec<D> normal(const Pack& pack, std::size_t lane) {
    Vec<D> n;
    for (int d = 0; d < D; ++d) n[d] = pack.normal[d][lane];
    return n;
  }
  static Vec<D> impulse(const Pack& pack, std::size_t lane) {
    Vec<D> p;
    for (int d = 0; d < D; ++d) p[d] = pack.impulse[d][lane];
    return p;
  }
  static Spin<D> couple(const Pack& pack, std::size_t lane) { return couple_in<D>(pack, lane); }
  static ContactRow<D> row(const Pack& pack, std::size_t lane) {
    ContactRow<D> row = row_of_round<D>(pack, lane);
    put_law(pack, lane, row);
    return row;
  }
  static CoupleRow<D> couple_row(const Pack& pack, std::size_t lane) requires rolls { return couple_row_of<D>(pack, lane); }
  static void set_impulse(Pack& pack, std::size_t lane, const StepContact<D>& c) { set_round_impulse(pack, lane, c); }
  static void set_couple(Pack& pack, std::size_t lane, const StepContact<D>& c) requires rolls { set_couple_of(pack, lane, c); }
};

template <int D>
using LawOnRound = GeneralRound<D, false>;
template <int D>
using RollingRound = GeneralRound<D, true>;

}  // namespace moreau::inline solver
