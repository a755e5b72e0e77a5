// One contact under the law of tangent_bound.hpp, H any symmetric positive definite matrix, given in a frame whose tangents are
// eigenvectors of its Schur complement S = H_TT - H_TN H_NT / H_NN (in space; in the plane S is a number).
//
//   w = v + H P,    w_N >= 0, P_N >= 0, w_N P_N = 0,    |P_T| <= b(P_N) = min(shear + mu P_N, cap), w_T opposite to P_T at b
//
// Branches, tried in this order:
//   open    P_N = 0, P_T the friction on a disc of radius b(0), w_N >= 0
//   stick   w = 0, P in the domain
//   slide   w_N = 0, w_T = -a P_T, a > 0, |P_T| = b(P_N)
// A solution exists always: let P_T(s) be the friction on the disc of radius b(s) under P_N = s; w_N(s) = v_N + s H_NN + k.P_T(s)
// is continuous, negative at s = 0 where open fails, and grows without end, since (1, p) H (1, p) > 0 for the slope p of P_T.
// Tested in tests/law/bounded_test.cpp against an enumeration of modes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "moreau/law/tangent_bound.hpp"

namespace moreau::inline law {

template <int D>
struct FramedDelassus {
  double inverse_normal;   // 1 / H_NN
  double coupling[D - 1];  // k = H_NT
  double schur[D - 1];     // eigenvalues of S, > 0
};

// In the plane everything is in closed form. Sliding has the sign of the stick force, P_T = -g / (S + a), and along it
// |P_T| - b(P_N) is convex with one upward crossing, at the cone or at the cap, whichever comes first.
inline Vec<2> solve_bounded(const Vec<2>& v, const FramedDelassus<2>& H, const TangentBound& bound) {
  const double inverse = H.inverse_normal, k = H.coupling[0];
  const double radius = bound.at(0.0);
  const double loose = std::clamp(-v[1] / (H.schur[0] + k * inverse * k), -radius, radius);
  if (v[0] + k * loose >= 0.0) return {{0.0, loose}};

  const auto normal = [&](double tangent) { return -(v[0] + k * tangent) * inverse; };
  const double stick = -(v[1] - k * inverse * v[0]) / H.schur[0];
  if (normal(stick) >= 0.0 && std::abs(stick) <= bound.at(normal(stick))) return {{normal(stick), stick}};

  const double sign = stick > 0.0 ? 1.0 : -1.0, denominator = 1.0 + sign * bound.friction * k * inverse;
  double tangent = std::min(bound.cap, std::abs(stick));
  if (denominator > 0.0) {
    const double cone = (bound.shear - bound.friction * inverse * v[0]) / denominator;
    // Without shear P_N comes from |P_T| = mu P_N, free of cancellation.
    if (cone <= tangent)
      return {
          {bound.shear == 0.0 && bound.friction > 0.0 ? cone / bound.friction : std::max(0.0, normal(sign * cone)), sign * cone}};
  }
  return {{std::max(0.0, normal(sign * tangent)), sign * tangent}};
}

// Friction on a disc: the P_T with |P_T| <= radius and f + T P_T = -a P_T, a >= 0 at the rim, 0 inside. T symmetric positive
// definite {xx, xy, yy}. Newton on 1/|P_T(a)|, which is nearly straight; monotone, from a = 0.
inline void disc_friction(const double (&T)[3], const double (&f)[2], double radius, double (&p)[2]) {
  const auto at = [&](double a) {
    const double xx = T[0] + a, yy = T[2] + a, determinant = xx * yy - T[1] * T[1];
    p[0] = -(yy * f[0] - T[1] * f[1]) / determinant, p[1] = -(xx * f[1] - T[1] * f[0]) / determinant;
    return std::sqrt(p[0] * p[0] + p[1] * p[1]);
  };
  double length = at(0.0);
  if (length <= radius) return;
  if (radius == 0.0) {
    p[0] = p[1] = 0.0;
    return;
  }
  double a = 0.0;
  for (int step = 0; step < 50 && length > radius * (1.0 + 4e-16); ++step) {
    const double xx = T[0] + a, yy = T[2] + a, determinant = xx * yy - T[1] * T[1];
    const double slope = (yy * p[0] * p[0] - 2.0 * T[1] * p[0] * p[1] + xx * p[1] * p[1]) / determinant;  // p (T + a)^-1 p
    const double next = a + (length * length / slope) * (length - radius) / radius;
    if (!(next > a)) break;
    a = next, length = at(a);
  }
  p[0] *= radius / length, p[1] *= radius / length;
}

// Sliding in space, as a function of x = s / (s + a), s the smallest eigenvalue of S (coulomb_space.hpp).
struct BoundedSlide {
  const Vec<3>& v;
  const FramedDelassus<3>& H;
  const TangentBound& bound;
  double g[2], smallest;

  BoundedSlide(const Vec<3>& velocity, const FramedDelassus<3>& delassus, const TangentBound& b)
      : v(velocity), H(delassus), bound(b), smallest(std::min(delassus.schur[0], delassus.schur[1])) {
    for (int i = 0; i < 2; ++i) g[i] = v[i + 1] - H.coupling[i] * H.inverse_normal * v[0];
  }

  struct Point {
    double tangent[2], length, normal, excess, slope;  // P_T, |P_T|, P_N, f = |P_T| - b(P_N), df/dx
  };
  Point at(double x) const {
    Point p{};
    double rate[2];
    for (int i = 0; i < 2; ++i) {
      const double denominator = x * H.schur[i] + smallest * (1.0 - x);
      p.tangent[i] = -x * g[i] / denominator;
      rate[i] = -g[i] * smallest / (denominator * denominator);
    }
    const double* k = H.coupling;
    p.length = std::sqrt(p.tangent[0] * p.tangent[0] + p.tangent[1] * p.tangent[1]);
    p.normal = -(v[0] + k[0] * p.tangent[0] + k[1] * p.tangent[1]) * H.inverse_normal;
    p.excess = p.length - bound.at(p.normal);
    p.slope = p.length > 0.0 ? (p.tangent[0] * rate[0] + p.tangent[1] * rate[1]) / p.length : 0.0;
    if (bound.shear + bound.friction * p.normal < bound.cap)
      p.slope += bound.friction * (k[0] * rate[0] + k[1] * rate[1]) * H.inverse_normal;
    return p;
  }

  // Before: f(1) > 0 and b(P_N(0)) > 0. Newton in the bracket, bisection on the logarithmic scale where it fails. The last of
  // Newton's steps is below 1e-9 of x: the error after it is of the order of its square.
  Point root(const Point& stick) const {
    const double gg = std::sqrt(g[0] * g[0] + g[1] * g[1]);
    const double k = std::sqrt(H.coupling[0] * H.coupling[0] + H.coupling[1] * H.coupling[1]);
    // |P_T| <= x |g| / s, so that f < 0 below this; half of it, since without coupling and with S a multiple of the identity it
    // is the root itself, which Newton could then not reach.
    double low = 0.5 * bound.at(-v[0] * H.inverse_normal) * smallest / (gg * (1.0 + bound.friction * k * H.inverse_normal));
    double high = 1.0, x = 1.0, moved = 1.0;
    Point p = stick;
    for (int step = 0; step < 400; ++step) {
      double next = x - p.excess / p.slope;
      const bool good = next > low && next < high && std::abs(next - x) <= 0.5 * moved;
      if (!good) next = std::sqrt(low * high);
      if (next == x || !(next > low && next < high)) break;
      moved = std::abs(next - x);
      x = next, p = at(x);
      if (p.excess == 0.0 || moved <= (good ? 1e-9 : 2.0 * std::numeric_limits<double>::epsilon()) * x) break;
      (p.excess < 0.0 ? low : high) = x;
    }
    return p;
  }
};

// The construction of the proof above, P_N found by halving: for the few contacts that the faster way does not decide.
inline Vec<3> solve_bounded_slowly(const Vec<3>& v, const FramedDelassus<3>& H, const TangentBound& bound) {
  const double* k = H.coupling;
  const double T[3] = {H.schur[0] + k[0] * H.inverse_normal * k[0], k[0] * H.inverse_normal * k[1],
                       H.schur[1] + k[1] * H.inverse_normal * k[1]};
  Vec<3> p{};
  const auto opening = [&](double s) {
    double t[2];
    const double f[2] = {v[1] + k[0] * s, v[2] + k[1] * s};
    disc_friction(T, f, bound.at(s), t);
    p = {{s, t[0], t[1]}};
    return v[0] + s / H.inverse_normal + k[0] * t[0] + k[1] * t[1];
  };
  if (opening(0.0) >= 0.0) return p;
  double low = 0.0, high = H.inverse_normal * norm(v);
  while (opening(high) < 0.0 && high < 1e300) low = high, high *= 2.0;
  for (int step = 0; step < 200; ++step) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    (opening(middle) < 0.0 ? low : high) = middle;
  }
  return p;
}

inline Vec<3> solve_bounded(const Vec<3>& v, const FramedDelassus<3>& H, const TangentBound& bound) {
  const double* k = H.coupling;
  if (bound.at(0.0) == 0.0) {
    if (v[0] >= 0.0) return {};
  } else {
    double t[2];
    const double T[3] = {H.schur[0] + k[0] * H.inverse_normal * k[0], k[0] * H.inverse_normal * k[1],
                         H.schur[1] + k[1] * H.inverse_normal * k[1]};
    const double f[2] = {v[1], v[2]};
    disc_friction(T, f, bound.at(0.0), t);
    if (v[0] + k[0] * t[0] + k[1] * t[1] >= 0.0) return {{0.0, t[0], t[1]}};
  }
  const BoundedSlide slide(v, H, bound);
  const auto stick = slide.at(1.0);
  if (stick.normal >= 0.0 && stick.excess <= 0.0) return {{stick.normal, stick.tangent[0], stick.tangent[1]}};
  const double free_bound = bound.at(-v[0] * H.inverse_normal);
  if (free_bound == 0.0 && v[0] < 0.0) return {{-v[0] * H.inverse_normal, 0.0, 0.0}};  // no friction at all
  if (!(free_bound > 0.0 && stick.excess > 0.0)) return solve_bounded_slowly(v, H, bound);
  const auto p = slide.root(stick);
  if (p.normal < 0.0 && bound.shear > 0.0) return solve_bounded_slowly(v, H, bound);
  // On the cone P_N follows from |P_T| = mu P_N, free of the cancellation in P_N = -(v_N + k.P_T) / H_NN.
  const bool cone = bound.shear == 0.0 && p.length < bound.cap * (1.0 - 1e-12);
  return {{cone ? p.length / bound.friction : std::max(0.0, p.normal), p.tangent[0], p.tangent[1]}};
}

}  // namespace moreau::inline law
