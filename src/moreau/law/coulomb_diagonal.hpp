// One contact with Coulomb friction when H does not couple normal and tangent: H = diag(h_N, h_T, ...). Discs and spheres.
//
//   w = v + H P,   w_N >= 0, P_N >= 0, w_N P_N = 0,   |P_T| <= mu P_N,   w_T != 0  =>  P_T = -mu P_N w_T / |w_T|
//
// Closed form, exact because the tangential part of H is a multiple of the identity (Moreau 1994, sec. 7):
//   open   v_N >= 0                        P = 0
//   stick  |v_T| / h_T <= mu P_N           P_N = -v_N / h_N,  P_T = -v_T / h_T
//   slide  otherwise                       P_N = -v_N / h_N,  P_T = -mu P_N v_T / |v_T|
// The solution is unique. Tested in tests/law/coulomb_diagonal_test.cpp.
#pragma once

#include <cmath>

#include "moreau/base/elementary.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline law {

// v: formal velocity if P were zero [velocity], normal first; h_N, h_T > 0 [1/mass]; friction >= 0. Returns P [impulse].
template <int D>
inline Vec<D> solve_coulomb_diagonal(const Vec<D>& v, double normal_delassus, double tangent_delassus, double friction) {
  Vec<D> impulse{};
  if (v[0] >= 0.0) return impulse;
  impulse[0] = -v[0] / normal_delassus;

  double speed = std::abs(v[1]);
  if constexpr (D == 3) speed = hypotenuse(v[1], v[2]);
  const double bound = friction * impulse[0];
  const bool sticks = speed <= tangent_delassus * bound;
  // The sliding factor is formed only where speed > 0, hence no division by zero.
  const double factor = sticks ? 1.0 / tangent_delassus : bound / speed;
  for (int i = 1; i < D; ++i) impulse[i] = -factor * v[i];
  return impulse;
}

}  // namespace moreau::inline law
