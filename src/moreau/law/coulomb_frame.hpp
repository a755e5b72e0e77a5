// Coulomb's law with unilateral contact for eight contacts at once, H any symmetric positive definite matrix, given in a frame
// whose tangents are eigenvectors of the Schur complement S = H_TT - H_TN H_NT / H_NN.
//
//   w = v + H P,   w_N >= 0, P_N >= 0, w_N P_N = 0,   |P_T| <= mu P_N,   w_T != 0  =>  P_T = -mu P_N w_T / |w_T|
//
// The same solutions as solve_coulomb_plane and solve_coulomb_space, which explain the branches and prove what is used here;
// tested against them in tests/law/coulomb_frame_test.cpp.
#pragma once

#include "moreau/base/lanes.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau {

template <int D>
struct FrameOperator {    // H in its frame, of eight contacts
  Lanes inverse_normal;   // 1 / H_NN
  Lanes coupling[D - 1];  // H_NT
  Lanes schur[D - 1];     // eigenvalues of S, > 0

  // H P, normal first.
  MOREAU_INLINE Vec<D, Lanes> operator*(const Vec<D, Lanes>& p) const {
    Vec<D, Lanes> u;
    Lanes coupled = coupling[0] * p[1];
    for (int i = 1; i < D - 1; ++i) coupled += coupling[i] * p[i + 1];
    u[0] = p[0] / inverse_normal + coupled;
    const Lanes carried = p[0] + inverse_normal * coupled;
    for (int i = 0; i < D - 1; ++i) u[i + 1] = coupling[i] * carried + schur[i] * p[i + 1];
    return u;
  }
};

typedef long long LaneMask __attribute__((vector_size(lanes * sizeof(double))));

MOREAU_INLINE bool any(const LaneMask& m) {
  long long together = 0;
  for (int l = 0; l < lanes; ++l) together |= m[l];
  return together != 0;
}

// v: formal velocity if P were zero, normal first. Plane: closed form.
MOREAU_INLINE Vec<2, Lanes> coulomb_frame(const Vec<2, Lanes>& v, const FrameOperator<2>& H, const Lanes& friction,
                                          const Vec<2, Lanes>&) {
  const Lanes zero = Lanes{}, one = zero + 1.0;
  const Lanes k = H.coupling[0];
  const Lanes tangent = -(v[1] - k * H.inverse_normal * v[0]) / H.schur[0];
  const Lanes normal = -(v[0] + k * tangent) * H.inverse_normal;
  const Lanes length = tangent < zero ? -tangent : tangent, sign = tangent > zero ? one : -one;
  const LaneMask sticks = length <= friction * normal;
  const Lanes denominator = one / H.inverse_normal + sign * friction * k;
  // Holds whenever stick fails, up to rounding at the border of stick, where the stick force itself is on the cone.
  const LaneMask regular = length * denominator > -friction * v[0];
  const Lanes slip = regular ? -v[0] / (regular ? denominator : one) : length / (friction > zero ? friction : one);
  const Lanes smooth = -v[0] * H.inverse_normal;
  Vec<2, Lanes> p;
  p[0] = sticks ? normal : (friction > zero ? slip : smooth);
  p[1] = sticks ? tangent : sign * friction * p[0];
  const LaneMask open = v[0] >= zero;
  p[0] = open ? zero : p[0];
  p[1] = open ? zero : p[1];
  return p;
}

// The tangential problem of sliding contacts in space: P_T(x) = -x g_i / (x l_i + s (1 - x)), x in (0, 1], f(x) = |P_T| - mu P_N
// (coulomb_space.hpp).
struct FrameSlide {
  Lanes eigenvalue[2], g[2], k[2], smallest, inverse_normal, free_normal, friction;

  struct Point {
    Lanes tangent[2], length, excess, slope;
  };
  MOREAU_INLINE Point at(const Lanes& x) const {
    Point p;
    Lanes rate[2];
    for (int i = 0; i < 2; ++i) {
      const Lanes inverse = 1.0 / (x * eigenvalue[i] + smallest * (1.0 - x));
      p.tangent[i] = -x * g[i] * inverse;
      rate[i] = -g[i] * smallest * (inverse * inverse);
    }
    p.length = square_root(p.tangent[0] * p.tangent[0] + p.tangent[1] * p.tangent[1]);
    const Lanes normal = -(free_normal + k[0] * p.tangent[0] + k[1] * p.tangent[1]) * inverse_normal;
    p.excess = p.length - friction * normal;
    const Lanes positive = p.length > 0.0 ? p.length : Lanes{} + 1.0;
    p.slope = (p.tangent[0] * rate[0] + p.tangent[1] * rate[1]) / positive +
              friction * (k[0] * rate[0] + k[1] * rate[1]) * inverse_normal;
    return p;
  }
};

// Root of f for the lanes in `wanted`, bracketed by low (f <= 0) and 1 (f > 0): Newton from `guess` where that lies in the
// bracket, replaced by a bisection on the logarithmic scale whenever it leaves the bracket or does not halve its steps. The last
// of Newton's steps is below 1e-9 of x: the error after it is of the order of its square.
MOREAU_INLINE FrameSlide::Point frame_slide_root(const FrameSlide& problem, const FrameSlide::Point& at_one, const Lanes& guess,
                                                 LaneMask wanted) {
  const Lanes one = Lanes{} + 1.0;
  const Lanes g = square_root(problem.g[0] * problem.g[0] + problem.g[1] * problem.g[1]);
  const Lanes k = square_root(problem.k[0] * problem.k[0] + problem.k[1] * problem.k[1]);
  const Lanes scale = g * (1.0 / problem.inverse_normal + problem.friction * k);
  Lanes low = problem.smallest * (problem.friction * -problem.free_normal) / (wanted ? scale : one);
  Lanes high = one, x = one, moved = one;
  FrameSlide::Point p = at_one;
  const LaneMask guessed = wanted & (guess > low) & (guess < one);
  if (any(guessed)) {
    x = guessed ? guess : one;
    p = problem.at(x);
    low = guessed & (p.excess <= 0.0) ? x : low;
    high = guessed & (p.excess > 0.0) ? x : high;
    wanted &= p.excess != 0.0;
  }
  for (int step = 0; step < 400 && any(wanted); ++step) {
    Lanes next = x - p.excess / p.slope;
    const Lanes step_length = next > x ? next - x : x - next;
    const LaneMask good = (next > low) & (next < high) & (step_length <= 0.5 * moved);
    next = good ? next : square_root(wanted ? low * high : one);
    const Lanes distance = next > x ? next - x : x - next;
    const LaneMask inside = (next > low) & (next < high) & (distance > 0.0);  // else no number is left in the bracket
    wanted &= inside;
    moved = wanted ? distance : moved;
    x = wanted ? next : x;
    p = problem.at(x);  // unchanged where nothing is wanted any more
    low = wanted & (p.excess <= 0.0) ? x : low;
    high = wanted & (p.excess > 0.0) ? x : high;
    wanted &= (p.excess != 0.0) & (moved > (good ? 1e-9 * x : 4.4e-16 * x));
  }
  return p;
}

// Space: stick and open in closed form, sliding lanes by a bracketed root. `present` is the impulse so far; of a contact that
// slides on, it gives the root back: x = s P_i / (-g_i - (l_i - s) P_i) for both i, here in the mean of least squares.
MOREAU_INLINE Vec<3, Lanes> coulomb_frame(const Vec<3, Lanes>& v, const FrameOperator<3>& H, const Lanes& friction,
                                          const Vec<3, Lanes>& present) {
  const Lanes zero = Lanes{}, one = zero + 1.0;
  Lanes tangent[2], g[2];
  for (int i = 0; i < 2; ++i) {
    g[i] = v[i + 1] - H.coupling[i] * H.inverse_normal * v[0];
    tangent[i] = -g[i] / H.schur[i];
  }
  Lanes normal = -(v[0] + H.coupling[0] * tangent[0] + H.coupling[1] * tangent[1]) * H.inverse_normal;
  const Lanes square = tangent[0] * tangent[0] + tangent[1] * tangent[1], limit = friction * normal;
  const LaneMask open = v[0] >= zero;
  const LaneMask smooth = ~open & (friction == zero);
  const LaneMask slides = ~open & ~smooth & ((normal < zero) | (square > limit * limit));
  if (any(slides)) {
    FrameSlide problem;
    for (int i = 0; i < 2; ++i) problem.eigenvalue[i] = H.schur[i], problem.g[i] = g[i], problem.k[i] = H.coupling[i];
    problem.smallest = H.schur[0] < H.schur[1] ? H.schur[0] : H.schur[1];
    problem.inverse_normal = H.inverse_normal, problem.free_normal = v[0], problem.friction = friction;
    const FrameSlide::Point stick = problem.at(one);
    Lanes above = zero, below = zero;
    for (int i = 0; i < 2; ++i) {
      const Lanes a = -g[i] - (H.schur[i] - problem.smallest) * present[i + 1];
      above += a * present[i + 1], below += a * a;
    }
    const Lanes guess = problem.smallest * above / (below > zero ? below : one);
    const FrameSlide::Point slip = frame_slide_root(problem, stick, guess, slides & (stick.excess > zero));
    for (int i = 0; i < 2; ++i) tangent[i] = slides ? slip.tangent[i] : tangent[i];
    // From |P_T| = mu P_N: on the cone to rounding, free of the cancellation in P_N = -(v_N + k.P_T) / H_NN.
    normal = slides ? slip.length / (slides ? friction : one) : normal;
  }
  Vec<3, Lanes> p;
  p[0] = open ? zero : (smooth ? -v[0] * H.inverse_normal : normal);
  for (int i = 0; i < 2; ++i) p[i + 1] = (open | smooth) ? zero : tangent[i];
  return p;
}

}  // namespace moreau
