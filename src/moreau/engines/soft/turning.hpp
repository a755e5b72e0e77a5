// The turning of round bodies in a step, one or eight side by side.
#pragma once

#include "moreau/engines/soft/contact_force.hpp"
#include "moreau/engines/soft/rows_of_vectors.hpp"
#include "moreau/geometry/rotation.hpp"

namespace moreau::soft {

// Turned by a small angle: Cayley's map, whose angle is right to its third power; of exactly rounded operations only.
// Renormalised by a step of Newton's method where that is exact to rounding, by a root else. (w, x, y, z) in place.
template <class Real, class AnyOf>
MOREAU_INLINE void turn_a_little(Real (&r)[4], const Vec<3, Real>& spin, const Real& half_step, const AnyOf& any_of) {
  const Real one = Real{} + 1.0, half = Real{} + 0.5;
  const Real t0 = half_step * spin[0], t1 = half_step * spin[1], t2 = half_step * spin[2];
  const Real w = r[0] - t0 * r[1] - t1 * r[2] - t2 * r[3], x = r[1] + t0 * r[0] + t1 * r[3] - t2 * r[2],
             y = r[2] + t1 * r[0] + t2 * r[1] - t0 * r[3], z = r[3] + t2 * r[0] + t0 * r[2] - t1 * r[1];
  const Real square = w * w + x * x + y * y + z * z, off = square - one;
  Real inverse = one - half * off;
  if (const auto far = off * off >= 1e-16; any_of(far)) inverse = far ? one / square_root(square) : inverse;
  r[0] = w * inverse, r[1] = x * inverse, r[2] = y * inverse, r[3] = z * inverse;
}

static_assert(sizeof(Rotation<3>) == 4 * sizeof(double) && sizeof(Rotation<2>) == sizeof(double));

MOREAU_INLINE void turn_one(Rotation<2>& o, const Vec<1>& spin, double h) { o = turned(o, spin, h); }
MOREAU_INLINE void turn_eight(Rotation<2>* o, const Vec<1, Lanes>& spin, double h) {
  store_unaligned(&o->angle, load_unaligned(&o->angle) + spin[0] * h);
}

MOREAU_INLINE void turn_one(Rotation<3>& o, const Vec<3>& spin, double h) {
  double r[4] = {o.w, o.x, o.y, o.z};
  turn_a_little<double>(r, spin, 0.5 * h, [](bool far) { return far; });
  o = {r[0], r[1], r[2], r[3]};
}

// Four rows of two quaternions each, to w, x, y and z of eight, and back.
MOREAU_INLINE void turn_eight(Rotation<3>* o, const Vec<3, Lanes>& spin, double h) {
  double* numbers = &o->w;
  Lanes pair[4], r[4];
  for (int k = 0; k < 4; ++k) pair[k] = load_unaligned(numbers + 8 * k);
  const Lanes wx = __builtin_shufflevector(pair[0], pair[1], 0, 4, 8, 12, 1, 5, 9, 13),
              wx_far = __builtin_shufflevector(pair[2], pair[3], 0, 4, 8, 12, 1, 5, 9, 13),
              yz = __builtin_shufflevector(pair[0], pair[1], 2, 6, 10, 14, 3, 7, 11, 15),
              yz_far = __builtin_shufflevector(pair[2], pair[3], 2, 6, 10, 14, 3, 7, 11, 15);
  r[0] = __builtin_shufflevector(wx, wx_far, 0, 1, 2, 3, 8, 9, 10, 11);
  r[1] = __builtin_shufflevector(wx, wx_far, 4, 5, 6, 7, 12, 13, 14, 15);
  r[2] = __builtin_shufflevector(yz, yz_far, 0, 1, 2, 3, 8, 9, 10, 11);
  r[3] = __builtin_shufflevector(yz, yz_far, 4, 5, 6, 7, 12, 13, 14, 15);
  turn_a_little<Lanes>(r, spin, Lanes{} + 0.5 * h, [](const auto& far) { return any_of(far); });
  const Lanes near_wx = __builtin_shufflevector(r[0], r[1], 0, 1, 2, 3, 8, 9, 10, 11),
              far_wx = __builtin_shufflevector(r[0], r[1], 4, 5, 6, 7, 12, 13, 14, 15),
              near_yz = __builtin_shufflevector(r[2], r[3], 0, 1, 2, 3, 8, 9, 10, 11),
              far_yz = __builtin_shufflevector(r[2], r[3], 4, 5, 6, 7, 12, 13, 14, 15);
  store_unaligned(numbers, __builtin_shufflevector(near_wx, near_yz, 0, 4, 8, 12, 1, 5, 9, 13));
  store_unaligned(numbers + 8, __builtin_shufflevector(near_wx, near_yz, 2, 6, 10, 14, 3, 7, 11, 15));
  store_unaligned(numbers + 16, __builtin_shufflevector(far_wx, far_yz, 0, 4, 8, 12, 1, 5, 9, 13));
  store_unaligned(numbers + 24, __builtin_shufflevector(far_wx, far_yz, 2, 6, 10, 14, 3, 7, 11, 15));
}

}  // namespace moreau::soft
