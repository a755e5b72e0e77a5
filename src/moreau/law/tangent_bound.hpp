// The bound on the tangential impulse that all laws of dry friction here have in common, and how far a pair (w, P) is from such a
// law. Coulomb: shear 0, no cap. Coulomb and Orowan (Alart 2015): a cap as well. A joint: shear > 0.
//
//   w_N >= 0, P_N >= 0, w_N P_N = 0,     |P_T| <= b(P_N) = min(shear + mu P_N, cap),     w_T != 0  =>  P_T = -b w_T / |w_T|
//
// Impulses are those seen from the tip of the domain, P_N + tension where there is one. Tested in tests/law/bounded_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>

#include "moreau/law/residual.hpp"

namespace moreau::inline law {

struct TangentBound {
  double friction = 0.0;
  double shear = 0.0;     // [impulse] >= 0
  double cap = HUGE_VAL;  // [impulse] >= 0

  MOREAU_BOTH double at(double normal) const {
    const double open = shear + friction * normal;
    return cap < open ? cap : open;
  }
};

// The sum of what is wrong, in velocities for the compliance h [1/mass]: 0 if and only if the law holds.
template <int D>
inline double bounded_violation(const Vec<D>& w, const Vec<D>& p, const TangentBound& bound, double h) {
  const double bound_here = std::max(0.0, bound.at(std::max(0.0, p[0])));
  double power = bound_here * tangent_norm(w);  // P_T is opposite to w_T and at the bound where w_T != 0
  for (int i = 1; i < D; ++i) power += w[i] * p[i];
  const double speed = tangent_norm(w);
  return std::max(0.0, -w[0]) + h * std::max(0.0, -p[0]) + std::min(std::abs(w[0]), h * std::abs(p[0])) +
         h * std::max(0.0, tangent_norm(p) - bound_here) + (speed > 0.0 ? std::min(speed, h * std::abs(power) / speed) : 0.0);
}

}  // namespace moreau::inline law
