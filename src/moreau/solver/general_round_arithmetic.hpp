// The arithmetic of one contact between round bodies under a law beyond Coulomb's (general_round.hpp), over any number type: eight
// at a time in the solver's packs, one at a time in a thread of a graphics card. The operator of force and couple together is four
// numbers (law/rolling_round.hpp).
#pragma once

#include "moreau/law/rolling_round.hpp"
#include "moreau/solver/general_round_pack.hpp"
#include "moreau/solver/round_arithmetic.hpp"

namespace moreau::inline solver {

// Operator and law of a contact.
template <int D, bool rolls, class Number>
struct GeneralRoundLaw {
  Number inverse_normal, inverse_tangent;
  RoundBound<Number> bound;
};
template <int D, class Number>
struct GeneralRoundLaw<D, true, Number> {
  Number inverse_normal, inverse_tangent;
  RoundBound<Number> bound;
  Number turn_a, turn_b, inverse_turning, rolling, pivoting;
};
template <int D, bool rolls>
inline constexpr int general_round_rows = LawLanes<D, rolls, double>::rows;

template <int D, int rows, class Number>
MOREAU_INLINE Vec<D, Number> force_of(const Vec<rows, Number>& impulse) {
  Vec<D, Number> f;
  for (int d = 0; d < D; ++d) f[d] = impulse[d];
  return f;
}

// The impulse that satisfies the law with all others as they are.
template <int D, bool rolls, class Number, class Factor>
MOREAU_INLINE Vec<general_round_rows<D, rolls>, Number> solved_general_round(
    const GeneralRoundLaw<D, rolls, Number>& k, const Vec<D, Number>& normal,
    const Vec<general_round_rows<D, rolls>, Number>& bias, const Number (&a)[8], const Number (&b)[8],
    const Vec<general_round_rows<D, rolls>, Number>& impulse, Factor relaxation) {
  const Vec<D, Number> u = round_velocity(force_of<D>(bias), a, b, normal);
  if constexpr (!rolls) {
    return bounded_round(normal, u, impulse, k.inverse_normal, k.inverse_tangent, k.bound, relaxation);
  } else {
    constexpr int turns = spin_dimension<D>, spinning = velocity_dimension<D> + 1;
    Spin<D, Number> w, couple;
    for (int d = 0; d < turns; ++d)
      w[d] = bias[D + d] + k.turn_a * a[D + d] - k.turn_b * b[D + d], couple[d] = impulse[D + d];
    const RollingContact<Number> contact{k.inverse_normal,
                                         k.inverse_tangent,
                                         k.inverse_turning,
                                         k.turn_a * a[spinning] - k.turn_b * b[spinning],
                                         k.bound,
                                         k.rolling,
                                         k.pivoting};
    Vec<D, Number> p = force_of<D>(impulse);
    couple = rolling_round<D>(normal, u, w, p, couple, contact, relaxation);
    Vec<general_round_rows<D, rolls>, Number> all;
    for (int d = 0; d < D; ++d) all[d] = p[d];
    for (int d = 0; d < turns; ++d) all[D + d] = couple[d];
    return all;
  }
}

// The square of what a change of the couple brings in spin, at most.
template <int D, int rows, class Number>
MOREAU_INLINE Number couple_residual(const Number& inverse_turning, const Vec<rows, Number>& change) {
  const Number positive = inverse_turning > 0 ? inverse_turning : Number{} + 1;
  Number square{};
  for (int d = D; d < rows; ++d) square += change[d] * change[d] / (positive * positive);
  return square;
}
template <int D, bool rolls, class Number>
MOREAU_INLINE Number general_round_residual(const GeneralRoundLaw<D, rolls, Number>& k, const Vec<D, Number>& normal,
                                            const Vec<general_round_rows<D, rolls>, Number>& change) {
  Number square = round_residual(force_of<D>(change), normal, k.inverse_normal, k.inverse_tangent);
  if constexpr (rolls) square += couple_residual<D>(k.inverse_turning, change);
  return square;
}

// The couple pushes the spins; `turn_a` and `turn_b` as in the packs.
template <int D, int rows, class Number>
MOREAU_INLINE void push_couple(Number (&a)[8], Number (&b)[8], const Number& turn_a, const Number& turn_b,
                               const Vec<rows, Number>& change) {
  constexpr int spinning = velocity_dimension<D> + 1;
  const Number by_a = turn_a * a[spinning], by_b = turn_b * b[spinning];
  for (int d = 0; d < spin_dimension<D>; ++d) a[D + d] += by_a * change[D + d], b[D + d] -= by_b * change[D + d];
}

}  // namespace moreau::inline solver
