// The turning of round bodies in a step, one or eight side by side.
#pragma once

#include "moreau/base/lanes.hpp"
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

// Bodies [begin, end) with an inverse mass that is not 0, by their mean spins of the step.
void turn_bodies(Rotation<2>* orientation, const Vec<1>* spin, const double* inverse_mass, std::size_t begin, std::size_t end,
                 double h);
void turn_bodies(Rotation<3>* orientation, const Vec<3>* spin, const double* inverse_mass, std::size_t begin, std::size_t end,
                 double h);

}  // namespace moreau::soft
