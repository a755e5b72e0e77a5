// Orientation of a body: an angle [rad] in the plane, a unit quaternion in space.
#pragma once

#include "moreau/base/elementary.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline geometry {

template <int D>
struct Rotation;

template <>
struct Rotation<2> {
  double angle = 0.0;
};

template <>
struct Rotation<3> {
  double w = 1.0, x = 0.0, y = 0.0, z = 0.0;
};

MOREAU_BOTH inline Rotation<2> turned(Rotation<2> r, const Vec<1>& spin, double duration) {
  return {r.angle + spin[0] * duration};
}

// Exact for constant spin: q <- exp(spin duration / 2) q, renormalised.
MOREAU_BOTH inline Rotation<3> turned(Rotation<3> r, const Vec<3>& spin, double duration) {
  const double speed = norm(spin);
  if (speed == 0.0) return r;
  const SineCosine half = sine_cosine(0.5 * speed * duration);
  const double s = half.sine / speed, c = half.cosine;
  const double ax = s * spin[0], ay = s * spin[1], az = s * spin[2];
  Rotation<3> q{c * r.w - ax * r.x - ay * r.y - az * r.z, c * r.x + ax * r.w + ay * r.z - az * r.y,
                c * r.y + ay * r.w + az * r.x - ax * r.z, c * r.z + az * r.w + ax * r.y - ay * r.x};
  const double inverse = 1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w * inverse, q.x * inverse, q.y * inverse, q.z * inverse};
}

// First `inner`, then `outer`.
inline Rotation<2> composed(Rotation<2> outer, Rotation<2> inner) { return {outer.angle + inner.angle}; }
inline Rotation<3> composed(const Rotation<3>& p, const Rotation<3>& q) {
  return {p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
          p.w * q.y + p.y * q.w + p.z * q.x - p.x * q.z, p.w * q.z + p.z * q.w + p.x * q.y - p.y * q.x};
}

MOREAU_BOTH inline Vec<2> rotate(const Rotation<2>& r, const Vec<2>& v) {
  const auto [s, c] = sine_cosine(r.angle);
  return {{c * v[0] - s * v[1], s * v[0] + c * v[1]}};
}
MOREAU_BOTH inline Vec<3> rotate(const Rotation<3>& r, const Vec<3>& v) {
  const Vec<3> axis{{r.x, r.y, r.z}};
  const Vec<3> t = 2.0 * cross(axis, v);
  return v + r.w * t + cross(axis, t);
}

}  // namespace moreau::inline geometry
