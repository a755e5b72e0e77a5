// Force and couple of one contact between round bodies that resist rolling (bounded_round.hpp, rolling.hpp). A force turns the
// bodies against each other, a couple makes the surfaces slide:
//
//   u = u_0 + h_N F_N n + h_T F_T + c n x m,     w = w_0 - c n x F + h_W m
//
// F and m changes of the force and of the couple over its radius. The normal force depends on neither, and gives the limits of
// both; what is left is the least of a convex function, F_T in one disc and the part of m across n in another. With F_T free, m
// feels the stiffness h_W - c^2 / h_T in all directions, so that its best value is a projection: if the force under it does not
// slide, both are found. Else the force under the present couple and the couple under this force follow in turn, once in a
// relaxation, which leaves at most the part c^2 / (h_T h_W) of what was wrong. Between bodies not very different in size that is
// little, and they always take turns.
// Written over any number type. Tested in tests/law/rolling_test.cpp.
#pragma once

#include "moreau/law/bounded_round.hpp"
#include "moreau/law/lane_mask.hpp"
#include "moreau/law/rolling.hpp"

namespace moreau::inline law {

inline constexpr float strong_coupling = 0.5f;  // c^2 / (h_T h_W); that of a ball on a wall is 0.71, of a disc 0.67

template <class Real>
struct RollingContact {
  Real inverse_normal, inverse_tangent, inverse_turning;  // 1 / h_N, 1 / h_T, 1 / h_W
  Real coupling;                                          // c
  RoundBound<Real> bound;
  Real rolling, pivoting;
};

// Given velocity u and spin w under the present force and couple, the couple that satisfies the law with them as they are
// (relaxation 1); `force` becomes that force.
template <int D, class Real, class Factor>
MOREAU_INLINE Spin<D, Real> rolling_round(const Vec<D, Real>& normal, const Vec<D, Real>& u, const Spin<D, Real>& w,
                                          Vec<D, Real>& force, const Spin<D, Real>& couple, const RollingContact<Real>& k,
                                          Factor relaxation) {
  const Real slower = relaxation * k.inverse_turning;
  const Real part = k.coupling * k.coupling * k.inverse_tangent * k.inverse_turning;
  Vec<D, Real> velocity = u;
  if (const auto strong = part > strong_coupling; any(strong)) {
    const Real velocity_n = dot(normal, u), force_n = dot(normal, force), one = Real{} + 1;
    const Real carried = maximum(force_n + k.bound.tension - relaxation * velocity_n * k.inverse_normal, 0);
    const Spin<D, Real> free_spin = w + (k.coupling * k.inverse_tangent) * moment(normal, u);
    const Spin<D, Real> turned = rolling_couple<Real>(normal, free_spin, couple, slower / (strong ? one - part : one),
                                                      k.rolling * carried, k.pivoting * carried) -
                                 couple;
    const Vec<D, Real> brought = -k.coupling * cross(turned, normal);
    const Vec<D, Real> tangent =
        force - force_n * normal - (relaxation * k.inverse_tangent) * (u - velocity_n * normal + brought);
    const Real open_limit = k.bound.shear + k.bound.friction * carried,
               limit = open_limit < k.bound.cap ? open_limit : k.bound.cap;
    const auto sticks = dot(tangent, tangent) <= limit * limit;
    velocity += (strong ? (sticks ? one : Real{}) : Real{}) * brought;
  }
  const Vec<D, Real> solved = bounded_round(normal, velocity, force, k.inverse_normal, k.inverse_tangent, k.bound, relaxation);
  const Spin<D, Real> spin = w - k.coupling * moment(normal, solved - force);
  const Real carried = dot(normal, solved) + k.bound.tension;
  force = solved;
  return rolling_couple<Real>(normal, spin, couple, slower, k.rolling * carried, k.pivoting * carried);
}

}  // namespace moreau::inline law
