// The turning of round bodies in a step.
#pragma once

#include "moreau/geometry/rotation.hpp"

namespace moreau::soft {

// Turned by a small angle: Cayley's map, whose angle is right to its third power; of exactly rounded operations only.
// Renormalised by a step of Newton's method where that is exact to rounding, by a root else.
inline Rotation<2> turned_a_little(Rotation<2> r, const Vec<1>& spin, double duration) { return turned(r, spin, duration); }
inline Rotation<3> turned_a_little(const Rotation<3>& r, const Vec<3>& spin, double duration) {
  const Vec<3> t = (0.5 * duration) * spin;
  const Rotation<3> q{r.w - t[0] * r.x - t[1] * r.y - t[2] * r.z, r.x + t[0] * r.w + t[1] * r.z - t[2] * r.y,
                      r.y + t[1] * r.w + t[2] * r.x - t[0] * r.z, r.z + t[2] * r.w + t[0] * r.y - t[1] * r.x};
  const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, off = square - 1.0;
  const double inverse = off * off < 1e-16 ? 1.0 - 0.5 * off : 1.0 / std::sqrt(square);
  return {q.w * inverse, q.x * inverse, q.y * inverse, q.z * inverse};
}

}  // namespace moreau::soft
