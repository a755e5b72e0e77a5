// Damping ratio of a Kelvin-Voigt contact and restitution of an impact of two bodies, alone. With zeta = g_n / (2 sqrt(k_n m)):
//   force that may not pull   e = exp(-2 zeta arccos(zeta) / sqrt(1 - zeta^2)),  e^-2 at zeta = 1, arccosh beyond
//   force that may pull       e = exp(-pi zeta / sqrt(1 - zeta^2)),              0 from zeta = 1 on
#pragma once

#include <cmath>
#include <numbers>

#include "moreau/base/elementary.hpp"

namespace moreau::soft {

inline double restitution_of(double zeta, bool dashpots_pull) {
  const double square = 1.0 - zeta * zeta;
  if (dashpots_pull) return zeta < 1.0 ? exponential(-std::numbers::pi * zeta / std::sqrt(square)) : 0.0;
  if (std::abs(square) < 1e-8) return exponential(-2.0);
  if (zeta < 1.0) return exponential(-2.0 * zeta * arccosine(zeta) / std::sqrt(square));
  const double root = std::sqrt(-square);
  return exponential(-2.0 * zeta * logarithm(zeta + root) / root);
}

// The ratio that gives this restitution, 0 < e <= 1; by bisection, since the former falls.
inline double damping_for(double restitution, bool dashpots_pull) {
  double low = 0.0, high = dashpots_pull ? 1.0 : 1e6;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (restitution_of(middle, dashpots_pull) > restitution ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace moreau::soft
