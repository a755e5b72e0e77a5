// The arithmetic of one contact between bodies of any shape under Coulomb's law (shaped.hpp), over any number type: eight at a time
// in the solver's packs, one at a time in a thread of a graphics card. A body is given by its eight numbers (solver_body.hpp) and,
// in space, six of its inverse inertia.
#pragma once

#include "moreau/law/coulomb_frame.hpp"
#include "moreau/solver/velocity.hpp"

namespace moreau::inline solver {

// Inverse inertia: one number in the plane; xx, yy, zz, xy, xz, yz in space.
template <int D, class Number>
struct InverseInertia {
  static constexpr int moments = D == 3 ? 6 : 1;
  Number i[moments];

  MOREAU_INLINE Spin<D, Number> operator*(const Spin<D, Number>& m) const {
    if constexpr (D == 2)
      return {{i[0] * m[0]}};
    else
      return {{i[0] * m[0] + i[3] * m[1] + i[4] * m[2], i[3] * m[0] + i[1] * m[1] + i[5] * m[2],
               i[4] * m[0] + i[5] * m[1] + i[2] * m[2]}};
  }
};

template <int D, class Number>
MOREAU_INLINE Vec<D, Number> velocity_at(const Number (&body)[8], const Vec<D, Number>& arm) {
  Vec<D, Number> v;
  Spin<D, Number> spin;
  for (int d = 0; d < D; ++d) v[d] = body[d];
  for (int d = 0; d < spin_dimension<D>; ++d) spin[d] = body[D + d];
  return v + cross(spin, arm);
}

template <int D, class Number>
MOREAU_INLINE void push_shaped(Number (&a)[8], Number (&b)[8], const Vec<D, Number>& p, const Spin<D, Number>& turn_a,
                               const Spin<D, Number>& turn_b) {
  constexpr int mass = velocity_dimension<D>;
  for (int d = 0; d < D; ++d) a[d] += a[mass] * p[d], b[d] -= b[mass] * p[d];
  for (int d = 0; d < spin_dimension<D>; ++d) a[D + d] += turn_a[d], b[D + d] -= turn_b[d];
}

// The tangential part of p, in its frame, made no longer than `limit`.
template <int D, class Number>
MOREAU_INLINE void shorten_tangent(Vec<D, Number>& p, const Number& limit) {
  Number square = p[1] * p[1];
  if constexpr (D == 3) square += p[2] * p[2];
  const Number one = Number{} + 1;
  const auto beyond = square > limit * limit;
  const Number scale = beyond ? limit / square_root(beyond ? square : one) : one;
  for (int d = 1; d < D; ++d) p[d] *= scale;
}

// Where it is and which way it looks: normal first.
template <int D, class Number>
struct ShapedFrame {
  Vec<D, Number> normal, tangent, arm_a, arm_b;

  MOREAU_INLINE Vec<D, Number> to(const Vec<D, Number>& v) const {
    Vec<D, Number> r;
    r[0] = dot(normal, v), r[1] = dot(tangent, v);
    if constexpr (D == 3) r[2] = dot(cross(normal, tangent), v);
    return r;
  }
  MOREAU_INLINE Vec<D, Number> from(const Vec<D, Number>& v) const {
    Vec<D, Number> r = v[0] * normal + v[1] * tangent;
    if constexpr (D == 3) r += v[2] * cross(normal, tangent);
    return r;
  }
  MOREAU_INLINE void push(Number (&a)[8], Number (&b)[8], const InverseInertia<D, Number>& inertia_a,
                          const InverseInertia<D, Number>& inertia_b, const Vec<D, Number>& change) const {
    const Vec<D, Number> p = from(change);
    push_shaped<D>(a, b, p, inertia_a * moment(arm_a, p), inertia_b * moment(arm_b, p));
  }
};

// The impulse that satisfies the law with all others as they are.
template <int D, class Number, class Factor>
MOREAU_INLINE Vec<D, Number> solved_shaped(const ShapedFrame<D, Number>& frame, const FrameOperatorOf<D, Number>& H,
                                           const Number& friction, const Vec<D, Number>& bias, const Number (&a)[8],
                                           const Number (&b)[8], const Vec<D, Number>& impulse, Factor relaxation) {
  const Vec<D, Number> u = bias + frame.to(velocity_at<D>(a, frame.arm_a) - velocity_at<D>(b, frame.arm_b));
  Vec<D, Number> p = coulomb_frame(u - H * impulse, H, friction, impulse);
  if (relaxation != 1) {  // beyond the solution, but not out of the cone
    p = impulse + (Number{} + relaxation) * (p - impulse);
    p[0] = maximum(p[0], 0);
    shorten_tangent<D>(p, friction * p[0]);
  }
  return p;
}

}  // namespace moreau::inline solver
