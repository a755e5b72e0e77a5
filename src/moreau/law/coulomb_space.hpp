// One contact with Coulomb friction in space, H any symmetric positive definite 3 x 3 matrix.
//
//   w = v + H P,   w_N >= 0, P_N >= 0, w_N P_N = 0,   |P_T| <= mu P_N,   w_T != 0  =>  P_T = -mu P_N w_T / |w_T|
//
// With w_N = 0 eliminated, P_N = -(v_N + k.P_T) / H_NN and w_T = g + S P_T, where k = H_NT and
//   g = v_T - k v_N / H_NN,      S = H_TT - k k^T / H_NN   (Schur complement, symmetric positive definite).
// Branches, tried in this order:
//   open   v_N >= 0               P = 0
//   stick  f(0) <= 0              P_T = -S^-1 g
//   slide  otherwise              w_T = -a P_T, a > 0:  P_T(a) = -(S + a I)^-1 g,  f(a) = |P_T(a)| - mu P_N(a) = 0
//
// v_N < 0 gives f(infinity) = mu v_N / H_NN < 0 and a failing stick gives f(0) > 0: a root is always bracketed, and every root is
// a solution, since |P_T| = mu P_N implies P_N >= 0. Where the coupling k is strong (Painleve range, mu |k| >= H_NN) f need not
// be monotone and several roots may exist (at most 4, f = 0 is a quartic in a); the bracket still closes on one of them, always
// the same one for the same data. When v_N >= 0 further solutions with P != 0 may exist in that range; "open" is chosen.
//
// The unknown used is x = s / (s + a) in (0, 1], s = smallest eigenvalue of S: x = 1 is stick, x -> 0 is no tangential impulse,
// and nothing is lost to rounding between the two, however badly conditioned S is. In the eigenframe of S (eigenvalues l_i),
//   P_i = -x g_i / (x l_i + s (1 - x)),   hence |P_T| <= x |g| / s  and  f < 0 below  x_low = s mu |v_N| / (|g| (H_NN + mu |k|)).
// Cost: one 2 x 2 eigenframe and about 8 evaluations of f (63 at most in 10^6 problems). Tested in
// tests/law/coulomb_space_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "moreau/base/elementary.hpp"
#include "moreau/law/delassus_block.hpp"

namespace moreau::inline law {

// The tangential problem in the eigenframe of S.
struct CondensedSlide {
  double eigenvalue[2];  // of S, > 0 [1/mass]
  double g[2], k[2];     // components of g [velocity] and k [1/mass] in the eigenframe
  double smallest;       // s [1/mass]
  double normal;         // H_NN [1/mass]
  double free_normal;    // v_N < 0 [velocity]
  double friction;

  struct Point {
    double tangent[2], normal, excess, slope;  // P_T, P_N, f, df/dx
  };

  Point at(double x) const {
    Point p{};
    double rate[2];
    for (int i = 0; i < 2; ++i) {
      const double denominator = x * eigenvalue[i] + smallest * (1.0 - x);
      p.tangent[i] = -x * g[i] / denominator;
      rate[i] = -g[i] * smallest / (denominator * denominator);
    }
    const double length = hypotenuse(p.tangent[0], p.tangent[1]);
    p.normal = -(free_normal + k[0] * p.tangent[0] + k[1] * p.tangent[1]) / normal;
    p.excess = length - friction * p.normal;
    const double length_rate = length > 0.0 ? (p.tangent[0] * rate[0] + p.tangent[1] * rate[1]) / length : 0.0;
    p.slope = length_rate + friction * (k[0] * rate[0] + k[1] * rate[1]) / normal;
    return p;
  }
};

// Root of f between x_low (f <= 0) and x = 1 (f > 0): Newton, replaced by a bisection on the logarithmic scale whenever it leaves
// the bracket or its steps do not shrink by half, so that it ends whatever f is.
inline CondensedSlide::Point slide_root(const CondensedSlide& problem) {
  const double g = hypotenuse(problem.g[0], problem.g[1]), k = hypotenuse(problem.k[0], problem.k[1]);
  double low = problem.smallest / g * (problem.friction * -problem.free_normal) / (problem.normal + problem.friction * k);
  double high = 1.0, x = 1.0, moved = 1.0;
  CondensedSlide::Point p = problem.at(x);
  for (int step = 0; step < 400; ++step) {
    double next = x - p.excess / p.slope;
    if (!(next > low && next < high && std::abs(next - x) <= 0.5 * moved)) next = std::sqrt(low * high);
    if (next == x || !(next > low && next < high)) break;  // no number between the ends of the bracket
    moved = std::abs(next - x);
    x = next;
    p = problem.at(x);
    if (p.excess == 0.0 || moved <= 2.0 * std::numeric_limits<double>::epsilon() * x) break;
    (p.excess < 0.0 ? low : high) = x;
  }
  return p;
}

// What depends on H alone: done once when the same H is met again and again, as in the sweeps over a given matrix.
struct SpaceBlock {
  double normal, coupling[2];  // H_NN, k
  double c, s;                 // eigenframe of S, as a rotation
  double eigenvalue[2];        // of S, the larger first

  explicit SpaceBlock(const DelassusBlock<3>& H) : normal(H.c[0][0]), coupling{H.c[0][1], H.c[0][2]} {
    const double k1 = coupling[0], k2 = coupling[1];
    const double s11 = H.c[1][1] - k1 / normal * k1, s22 = H.c[2][2] - k2 / normal * k2, s12 = H.c[1][2] - k1 / normal * k2;
    // Jacobi rotation that makes S diagonal.
    const SineCosine turn = half_angle(2.0 * s12, s11 - s22);
    c = turn.cosine, s = turn.sine;
    const double half_sum = 0.5 * (s11 + s22), half_difference = hypotenuse(0.5 * (s11 - s22), s12);
    // H nearly singular: an eigenvalue below one unit of rounding of H_TT has no meaning.
    const double floor = std::numeric_limits<double>::epsilon() * (H.c[1][1] + H.c[2][2]);
    eigenvalue[0] = std::max(half_sum + half_difference, floor);
    eigenvalue[1] = std::max(half_sum - half_difference, floor);
  }
};

// v: formal velocity if P were zero [velocity], normal first; friction >= 0. Returns P [impulse].
inline Vec<3> solve_coulomb_space(const Vec<3>& v, const SpaceBlock& H, double friction) {
  if (v[0] >= 0.0) return {};
  const double normal = H.normal, k1 = H.coupling[0], k2 = H.coupling[1], c = H.c, s = H.s;
  if (friction == 0.0) return {{-v[0] / normal, 0.0, 0.0}};

  const double g1 = v[1] - k1 / normal * v[0], g2 = v[2] - k2 / normal * v[0];
  CondensedSlide problem{};
  problem.eigenvalue[0] = H.eigenvalue[0];
  problem.eigenvalue[1] = H.eigenvalue[1];
  problem.g[0] = c * g1 + s * g2, problem.g[1] = c * g2 - s * g1;
  problem.k[0] = c * k1 + s * k2, problem.k[1] = c * k2 - s * k1;
  problem.smallest = problem.eigenvalue[1];
  problem.normal = normal, problem.free_normal = v[0], problem.friction = friction;

  const auto impulse = [&](double pressure, const CondensedSlide::Point& p) {
    return Vec<3>{{pressure, c * p.tangent[0] - s * p.tangent[1], s * p.tangent[0] + c * p.tangent[1]}};
  };
  const auto stick = problem.at(1.0);
  if (stick.excess <= 0.0) return impulse(stick.normal, stick);
  const auto slide = slide_root(problem);
  // P_N from |P_T| = mu P_N: on the cone to rounding, and free of the cancellation of P_N = -(v_N + k.P_T) / H_NN.
  return impulse(hypotenuse(slide.tangent[0], slide.tangent[1]) / friction, slide);
}

inline Vec<3> solve_coulomb_space(const Vec<3>& v, const DelassusBlock<3>& H, double friction) {
  if (v[0] >= 0.0) return {};
  return solve_coulomb_space(v, SpaceBlock(H), friction);
}

}  // namespace moreau::inline law
