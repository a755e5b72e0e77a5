// Resistance to rolling and pivoting: a couple M at the contact, opposed to the relative spin W of the two bodies,
//
//   |M_T| <= mu_r R P_N,  W_T != 0  =>  M_T = -mu_r R P_N W_T / |W_T|          rolling, about axes across the normal
//   |M_N| <= mu_p R P_N,  W_N != 0  =>  M_N = -mu_p R P_N sign W_N             pivoting, about the normal (space only)
//
// Coulomb's law once more, with spins for velocities and couples for forces, P_N given. Couples are kept divided by the length R
// (an impulse m = M / R), spins multiplied by it (a velocity w = R W). In the plane there is rolling only.
// Tested in tests/law/rolling_test.cpp.
#pragma once

#include "moreau/base/lanes.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline law {

// The reduced radius of two round bodies: 1/R = 1/r_a + 1/r_b. A wall or a flat face has no curvature: R = r_a.
MOREAU_BOTH inline double reduced_radius(double curvature_a, double curvature_b) {
  const double sum = curvature_a + curvature_b;
  return sum > 0.0 ? 1.0 / sum : 0.0;
}

// The part of `m` scaled down to length `limit` where it is longer.
template <class Real>
MOREAU_INLINE Real shortening(const Real& square, const Real& limit) {
  const Real one = Real{} + 1;
  const auto beyond = square > limit * limit;
  return beyond ? limit / square_root(beyond ? square : one) : one;
}

template <class Real>
MOREAU_INLINE Real clamped(const Real& m, const Real& limit) {
  return m > limit ? limit : (m < -limit ? -limit : m);
}

// Given the couple m and the spin w under it, the couple that satisfies the law for the normal impulse P_N, where a unit couple
// brings 1 / inverse of spin (exact where that holds in all directions, as between round bodies; else a step towards it).
template <class Real>
MOREAU_INLINE Vec<1, Real> rolling_couple(const Vec<2, Real>&, const Vec<1, Real>& w, const Vec<1, Real>& m, const Real& inverse,
                                          const Real& rolling, const Real&) {
  return {{clamped<Real>(m[0] - inverse * w[0], rolling)}};
}
template <class Real>
MOREAU_INLINE Vec<3, Real> rolling_couple(const Vec<3, Real>& normal, const Vec<3, Real>& w, const Vec<3, Real>& m,
                                          const Real& inverse, const Real& rolling, const Real& pivoting) {
  const Vec<3, Real> trial = m - inverse * w;
  const Real along = dot(normal, trial);
  const Vec<3, Real> across = trial - along * normal;
  return clamped<Real>(along, pivoting) * normal + shortening<Real>(dot(across, across), rolling) * across;
}

}  // namespace moreau::inline law
