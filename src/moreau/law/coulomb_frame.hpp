// Coulomb's law with unilateral contact for several contacts at once, H any symmetric positive definite matrix, given in a frame
// whose tangents are eigenvectors of the Schur complement S = H_TT - H_TN H_NT / H_NN.
//
//   w = v + H P,   w_N >= 0, P_N >= 0, w_N P_N = 0,   |P_T| <= mu P_N,   w_T != 0  =>  P_T = -mu P_N w_T / |w_T|
//
// The same solutions as solve_coulomb_plane and solve_coulomb_space, which explain the branches and prove what is used here;
// tested against them in tests/law/coulomb_frame_test.cpp.
#pragma once

#include <type_traits>

#include "moreau/base/lanes.hpp"
#include "moreau/geometry/vec.hpp"
#include "moreau/law/lane_mask.hpp"

namespace moreau::inline law {

// H in its frame, of one contact or, over lanes, of several.
template <int D, class Many>
struct FrameOperatorOf {
  Many inverse_normal;   // 1 / H_NN
  Many coupling[D - 1];  // H_NT
  Many schur[D - 1];     // eigenvalues of S, > 0

  // H P, normal first.
  MOREAU_INLINE Vec<D, Many> operator*(const Vec<D, Many>& p) const {
    Vec<D, Many> u;
    Many coupled = coupling[0] * p[1];
    for (int i = 1; i < D - 1; ++i) coupled += coupling[i] * p[i + 1];
    u[0] = p[0] / inverse_normal + coupled;
    const Many carried = p[0] + inverse_normal * coupled;
    for (int i = 0; i < D - 1; ++i) u[i + 1] = coupling[i] * carried + schur[i] * p[i + 1];
    return u;
  }
};

#ifndef __CUDACC__
template <int D, class Real = double>
using FrameOperator = FrameOperatorOf<D, LanesOf<Real>>;
#endif

// When Newton's step is the last one, and when a bracket has become as narrow as rounding allows; relative to x.
template <class Real>
inline constexpr Real last_step = static_cast<Real>(sizeof(Real) == sizeof(double) ? 1e-9 : 1e-4);
template <class Real>
inline constexpr Real narrowest = static_cast<Real>(sizeof(Real) == sizeof(double) ? 4.4e-16 : 2.4e-7);

// v: formal velocity if P were zero, normal first. Plane: closed form.
template <class Many>
MOREAU_INLINE Vec<2, Many> coulomb_frame(const std::type_identity_t<Vec<2, Many>>& v, const FrameOperatorOf<2, Many>& H,
                                         const std::type_identity_t<Many>& friction, const std::type_identity_t<Vec<2, Many>>&) {
  using Mask = MaskOf<Many>;
  const Many zero = Many{}, one = zero + 1;
  const Many k = H.coupling[0];
  const Many tangent = -(v[1] - k * H.inverse_normal * v[0]) / H.schur[0];
  const Many normal = -(v[0] + k * tangent) * H.inverse_normal;
  const Many length = tangent < zero ? -tangent : tangent, sign = tangent > zero ? one : -one;
  const Mask sticks = length <= friction * normal;
  const Many denominator = one / H.inverse_normal + sign * friction * k;
  // Holds whenever stick fails, up to rounding at the border of stick, where the stick force itself is on the cone.
  const Mask regular = length * denominator > -friction * v[0];
  const Many slip = regular ? -v[0] / (regular ? denominator : one) : length / (friction > zero ? friction : one);
  const Many smooth = -v[0] * H.inverse_normal;
  Vec<2, Many> p;
  p[0] = sticks ? normal : (friction > zero ? slip : smooth);
  p[1] = sticks ? tangent : sign * friction * p[0];
  const Mask open = v[0] >= zero;
  p[0] = open ? zero : p[0];
  p[1] = open ? zero : p[1];
  return p;
}

// The tangential problem of sliding contacts in space: P_T(x) = -x g_i / (x l_i + s (1 - x)), x in (0, 1], f(x) = |P_T| - mu P_N
// (coulomb_space.hpp).
template <class Many>
struct FrameSlide {
  Many eigenvalue[2], g[2], k[2], smallest, inverse_normal, free_normal, friction;

  struct Point {
    Many tangent[2], length, excess, slope;
  };
  MOREAU_INLINE Point at(const Many& x) const {
    Point p;
    Many rate[2];
    for (int i = 0; i < 2; ++i) {
      const Many inverse = 1 / (x * eigenvalue[i] + smallest * (1 - x));
      p.tangent[i] = -x * g[i] * inverse;
      rate[i] = -g[i] * smallest * (inverse * inverse);
    }
    p.length = square_root(p.tangent[0] * p.tangent[0] + p.tangent[1] * p.tangent[1]);
    const Many normal = -(free_normal + k[0] * p.tangent[0] + k[1] * p.tangent[1]) * inverse_normal;
    p.excess = p.length - friction * normal;
    const Many positive = p.length > 0 ? p.length : Many{} + 1;
    p.slope = (p.tangent[0] * rate[0] + p.tangent[1] * rate[1]) / positive +
              friction * (k[0] * rate[0] + k[1] * rate[1]) * inverse_normal;
    return p;
  }
};

// Root of f for the lanes in `wanted`, bracketed by low (f < 0) and 1 (f > 0): Newton from `guess` where that lies in the
// bracket, replaced by a bisection on the logarithmic scale whenever it leaves the bracket or does not halve its steps. The last
// of Newton's steps is short enough that the error after it, of the order of its square, is one of rounding.
template <class Many>
MOREAU_INLINE typename FrameSlide<Many>::Point frame_slide_root(const FrameSlide<Many>& problem,
                                                                const typename FrameSlide<Many>::Point& at_one, const Many& guess,
                                                                MaskOf<Many> wanted) {
  using Real = typename RealIn<Many>::Type;
  using Mask = MaskOf<Many>;
  const Real half = static_cast<Real>(0.5);
  const Many one = Many{} + 1;
  const Many g = square_root(problem.g[0] * problem.g[0] + problem.g[1] * problem.g[1]);
  const Many k = square_root(problem.k[0] * problem.k[0] + problem.k[1] * problem.k[1]);
  const Many scale = g * (1 / problem.inverse_normal + problem.friction * k);
  // |P_T| <= x |g| / s: f < 0 below this; half of it, since without coupling and with S a multiple of the identity it is the root
  // itself, which Newton could then not reach.
  Many low = half * problem.smallest * (problem.friction * -problem.free_normal) / (wanted ? scale : one);
  Many high = one, x = one, moved = one;
  typename FrameSlide<Many>::Point p = at_one;
  const Mask guessed = wanted & (guess > low) & (guess < one);
  if (any(guessed)) {
    x = guessed ? guess : one;
    p = problem.at(x);
    low = guessed & (p.excess <= 0) ? x : low;
    high = guessed & (p.excess > 0) ? x : high;
    wanted &= p.excess != 0;
  }
  for (int step = 0; step < 400 && any(wanted); ++step) {
    Many next = x - p.excess / p.slope;
    const Many step_length = next > x ? next - x : x - next;
    const Mask good = (next > low) & (next < high) & (step_length <= half * moved);
    if (any(wanted & no(good))) next = good ? next : square_root(wanted ? low * high : one);
    const Many distance = next > x ? next - x : x - next;
    const Mask inside = (next > low) & (next < high) & (distance > 0);  // else no number is left in the bracket
    wanted &= inside;
    moved = wanted ? distance : moved;
    x = wanted ? next : x;
    p = problem.at(x);  // unchanged where nothing is wanted any more
    low = wanted & (p.excess <= 0) ? x : low;
    high = wanted & (p.excess > 0) ? x : high;
    wanted &= (p.excess != 0) & (moved > (good ? last_step<Real> * x : narrowest<Real> * x));
  }
  return p;
}

// Space: stick and open in closed form, sliding lanes by a bracketed root. `present` is the impulse so far; of a contact that
// slides on, it gives the root back: x = s P_i / (-g_i - (l_i - s) P_i) for both i, here in the mean of least squares.
template <class Many>
MOREAU_INLINE Vec<3, Many> coulomb_frame(const std::type_identity_t<Vec<3, Many>>& v, const FrameOperatorOf<3, Many>& H,
                                         const std::type_identity_t<Many>& friction,
                                         const std::type_identity_t<Vec<3, Many>>& present) {
  using Mask = MaskOf<Many>;
  const Many zero = Many{}, one = zero + 1;
  Many tangent[2], g[2];
  for (int i = 0; i < 2; ++i) {
    g[i] = v[i + 1] - H.coupling[i] * H.inverse_normal * v[0];
    tangent[i] = -g[i] / H.schur[i];
  }
  Many normal = -(v[0] + H.coupling[0] * tangent[0] + H.coupling[1] * tangent[1]) * H.inverse_normal;
  const Many square = tangent[0] * tangent[0] + tangent[1] * tangent[1], limit = friction * normal;
  const Mask open = v[0] >= zero;
  const Mask smooth = no(open) & (friction == zero);
  const Mask slides = no(open) & no(smooth) & ((normal < zero) | (square > limit * limit));
  if (any(slides)) {
    FrameSlide<Many> problem;
    for (int i = 0; i < 2; ++i) problem.eigenvalue[i] = H.schur[i], problem.g[i] = g[i], problem.k[i] = H.coupling[i];
    problem.smallest = H.schur[0] < H.schur[1] ? H.schur[0] : H.schur[1];
    problem.inverse_normal = H.inverse_normal, problem.free_normal = v[0], problem.friction = friction;
    const typename FrameSlide<Many>::Point stick = problem.at(one);
    Many above = zero, below = zero;
    for (int i = 0; i < 2; ++i) {
      const Many a = -g[i] - (H.schur[i] - problem.smallest) * present[i + 1];
      above += a * present[i + 1], below += a * a;
    }
    const Many guess = problem.smallest * above / (below > zero ? below : one);
    const typename FrameSlide<Many>::Point slip = frame_slide_root<Many>(problem, stick, guess, slides & (stick.excess > zero));
    for (int i = 0; i < 2; ++i) tangent[i] = slides ? slip.tangent[i] : tangent[i];
    // From |P_T| = mu P_N: on the cone to rounding, free of the cancellation in P_N = -(v_N + k.P_T) / H_NN.
    normal = slides ? slip.length / (slides ? friction : one) : normal;
  }
  Vec<3, Many> p;
  p[0] = open ? zero : (smooth ? -v[0] * H.inverse_normal : normal);
  for (int i = 0; i < 2; ++i) p[i + 1] = (open | smooth) ? zero : tangent[i];
  return p;
}

}  // namespace moreau::inline law
