// Anisotropic friction: the tangential impulse stays in an ellipse of half-axes mu_1 P_N along a direction d fixed in the
// laboratory, projected on the tangent plane, and mu_2 P_N across it; sliding is opposed with the greatest power that the ellipse
// allows (Moreau 1994, eq. 5.8, C any convex cone):
//
//   (P_1 / mu_1)^2 + (P_2 / mu_2)^2 <= P_N^2,      w_T != 0  =>  P_i = -P_N mu_i^2 w_i / |(mu_1 w_1, mu_2 w_2)|
//
// The force is opposite to the velocity only along the axes. With s = sqrt(mu_1 / mu_2), mu = sqrt(mu_1 mu_2) and components
// P_1 / s, P_2 s for impulses, w_1 s, w_2 / s for velocities, this is Coulomb's law with mu.
// Tested in tests/law/friction_ellipse_test.cpp.
#pragma once

#include <cmath>

#include "moreau/base/elementary.hpp"
#include "moreau/geometry/tangent.hpp"

namespace moreau::inline law {

// |P_T| in those components; `along` is s. In the plane there is one tangent, and no ellipse.
inline double ellipse_length(const Vec<2>& tangent, const Vec<2>&, const Vec<3>&, double) { return norm(tangent); }
inline double ellipse_length(const Vec<3>& tangent, const Vec<3>& normal, const Vec<3>& direction, double along) {
  if (along == 1.0) return norm(tangent);
  const Vec<3> first = tangent_along(direction, normal);
  return hypotenuse(dot(tangent, first) / along, dot(tangent, cross(normal, first)) * along);
}

}  // namespace moreau::inline law
