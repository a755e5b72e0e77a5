// Coulomb's law with unilateral contact for one contact between round bodies, where H is h_N along n and h_T across it: exact in
// closed form (Moreau 1994, sec. 7, spheres). Written in world vectors over any number type, so that the solver can treat several
// contacts at once.
#pragma once

#include "moreau/base/lanes.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline law {

// Given the formal velocity U under the impulse P, returns the impulse that satisfies the law with all other impulses as they
// are:
//   P_N* = max(0, P_N - w U_N / h_N),   P_T* = projection of P_T - w U_T / h_T on the disc of radius mu P_N*,   w = relaxation
//   (1: exact).
// `maximum` and `square_root` are those of the number type.
template <int D, class Real, class Factor>
MOREAU_INLINE Vec<D, Real> coulomb_round(const Vec<D, Real>& normal, const Vec<D, Real>& formal_velocity,
                                         const Vec<D, Real>& impulse, const Real& inverse_normal, const Real& inverse_tangent,
                                         const Real& friction, Factor relaxation) {
  const Real velocity_n = dot(normal, formal_velocity), impulse_n = dot(normal, impulse);
  const Real new_n = maximum(impulse_n - relaxation * velocity_n * inverse_normal, 0);
  Vec<D, Real> tangent = impulse - impulse_n * normal - (relaxation * inverse_tangent) * (formal_velocity - velocity_n * normal);
  const Real square = dot(tangent, tangent), limit = friction * new_n;
  const auto slides = square > limit * limit;
  const Real one = Real{} + 1;
  const Real scale = slides ? limit / square_root(slides ? square : one) : one;
  return new_n * normal + scale * tangent;
}

}  // namespace moreau::inline law
