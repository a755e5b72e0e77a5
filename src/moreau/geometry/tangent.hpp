// Tangents of a surface given by its normal.
#pragma once

#include <cmath>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline geometry {

MOREAU_BOTH inline Vec<3> any_tangent(const Vec<3>& n) {
  int least = 0;
  for (int d = 1; d < 3; ++d)
    if (std::abs(n[d]) < std::abs(n[least])) least = d;
  Vec<3> axis{};
  axis[least] = 1.0;
  return normalized(cross(axis, n));
}

// Unit tangent nearest to `direction` (a unit vector); any tangent where the direction is that of the normal.
inline Vec<3> tangent_along(const Vec<3>& direction, const Vec<3>& n) {
  const Vec<3> flat = direction - dot(direction, n) * n;
  return norm(flat) > 1e-6 ? normalized(flat) : any_tangent(n);
}

}  // namespace moreau::inline geometry
