// The law of tangent_bound.hpp for one contact between round bodies, where H is h_N along n and h_T across it: exact in closed
// form, since without coupling the normal impulse does not depend on the tangential one. Written in world vectors over any number
// type, as coulomb_round.hpp. Tested in tests/law/bounded_round_test.cpp.
#pragma once

#include "moreau/base/lanes.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline law {

template <class Real>
struct RoundBound {
  Real friction, shear, cap;  // |P_T| <= min(shear + friction (P_N + tension), cap)
  Real tension;               // P_N >= -tension
};

// Given the formal velocity U under the impulse P, returns the impulse that satisfies the law with all other impulses as they are
// (relaxation 1; else beyond it or short of it, but not out of the domain).
template <int D, class Real, class Factor>
MOREAU_INLINE Vec<D, Real> bounded_round(const Vec<D, Real>& normal, const Vec<D, Real>& formal_velocity,
                                         const Vec<D, Real>& impulse, const Real& inverse_normal, const Real& inverse_tangent,
                                         const RoundBound<Real>& bound, Factor relaxation) {
  const Real velocity_n = dot(normal, formal_velocity), impulse_n = dot(normal, impulse);
  const Real carried = maximum(impulse_n + bound.tension - relaxation * velocity_n * inverse_normal, 0);
  Vec<D, Real> tangent = impulse - impulse_n * normal - (relaxation * inverse_tangent) * (formal_velocity - velocity_n * normal);
  const Real open_limit = bound.shear + bound.friction * carried, square = dot(tangent, tangent);
  const Real limit = open_limit < bound.cap ? open_limit : bound.cap;
  const auto slides = square > limit * limit;
  const Real one = Real{} + 1;
  const Real scale = slides ? limit / square_root(slides ? square : one) : one;
  return (carried - bound.tension) * normal + scale * tangent;
}

}  // namespace moreau::inline law
