// The arithmetic of one contact between round bodies (round.hpp) and of one body, over any number type: eight at a time in the
// solver's packs, one at a time in a thread of a graphics card. A body is given by its eight numbers (solver_body.hpp).
#pragma once

#include "moreau/base/inline.hpp"
#include "moreau/geometry/vec.hpp"
#include "moreau/solver/velocity.hpp"

namespace moreau::inline solver {

// bias + G u
template <int D, class Number>
MOREAU_INLINE Vec<D, Number> round_velocity(const Vec<D, Number>& bias, const Number (&a)[8], const Number (&b)[8],
                                            const Vec<D, Number>& normal) {
  Vec<D, Number> u;
  for (int d = 0; d < D; ++d) u[d] = bias[d] + a[d] - b[d];
  Spin<D, Number> rim;
  for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = a[D + d] + b[D + d];
  return u - cross(rim, normal);
}

// The square of H times a change of the impulse.
template <int D, class Number>
MOREAU_INLINE Number round_residual(const Vec<D, Number>& change, const Vec<D, Number>& normal, const Number& inverse_normal,
                                    const Number& inverse_tangent) {
  const Number change_n = dot(normal, change);
  const Vec<D, Number> change_t = change - change_n * normal;
  return (change_n * change_n) / (inverse_normal * inverse_normal) +
         dot(change_t, change_t) / (inverse_tangent * inverse_tangent);
}

// The moment at the rim is -n x impulse for both bodies.
template <int D, class Number>
MOREAU_INLINE void push_round(Number (&a)[8], Number (&b)[8], const Vec<D, Number>& normal, const Vec<D, Number>& change) {
  const Spin<D, Number> turn = moment(normal, change);
  constexpr int mass = velocity_dimension<D>, rolling = mass + 1;
  for (int d = 0; d < D; ++d) a[d] += a[mass] * change[d], b[d] -= b[mass] * change[d];
  for (int d = 0; d < spin_dimension<D>; ++d) a[D + d] -= a[rolling] * turn[d], b[D + d] -= b[rolling] * turn[d];
}

// m |v|^2 + I |spin|^2 from the squares of the velocities of a body and, behind them, its inverse mass and inertia; of a body
// without inverse inertia only what it moves, of one without inverse mass nothing.
template <int D, class Number>
MOREAU_INLINE Number kinetic_term(const Number (&squares)[8]) {
  constexpr int mass = velocity_dimension<D>, rolling = mass + 1;
  const Number zero{}, one = zero + 1;
  Number moved = zero, turned = zero;
  for (int d = 0; d < D; ++d) moved += squares[d];
  for (int d = D; d < mass; ++d) turned += squares[d];
  const auto free = squares[mass] > 0, turns = squares[rolling] > 0;
  return (free ? moved : zero) / (free ? squares[mass] : one) + (turns ? turned : zero) / (turns ? squares[rolling] : one);
}

// |w|^2 in the kinetic norm of a body in space that is not round: w . J w, J the inverse of the symmetric matrix of a Turning
// (solver_body.hpp), by cofactors.
template <class Real>
MOREAU_BOTH double turning_square(const Real (&turning)[8], const double (&w)[3]) {
  double i[6];
  for (int k = 0; k < 6; ++k) i[k] = static_cast<double>(turning[k]);
  const double xx = i[1] * i[2] - i[5] * i[5], yy = i[0] * i[2] - i[4] * i[4], zz = i[0] * i[1] - i[3] * i[3];
  const double xy = i[4] * i[5] - i[3] * i[2], xz = i[3] * i[5] - i[4] * i[1], yz = i[3] * i[4] - i[0] * i[5];
  const double determinant = i[0] * xx + i[3] * xy + i[4] * xz;
  const double x = w[0], y = w[1], z = w[2];
  return (xx * x * x + yy * y * y + zz * z * z + 2.0 * (xy * x * y + xz * x * z + yz * y * z)) / determinant;
}

}  // namespace moreau::inline solver
