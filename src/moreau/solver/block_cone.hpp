// The friction cone as the solvers of given matrices need it: many times per contact, so with a square root instead of std::hypot
// wherever nothing can overflow or vanish. Same functions as in law/residual.hpp to rounding; certificates use those.
#pragma once

#include <cmath>

#include "moreau/base/elementary.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline solver {

inline double length_of(double a, double b) {
  const double square = a * a + b * b;
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : hypotenuse(a, b);
}

template <int D>
inline double tangent_length(const Vec<D>& a) {
  if constexpr (D == 2)
    return std::abs(a[1]);
  else
    return length_of(a[1], a[2]);
}

// Nearest point of the cone |P_T| <= mu P_N.
template <int D>
inline Vec<D> onto_cone(const Vec<D>& p, double friction) {
  const double tangent = tangent_length(p);
  if (tangent <= friction * p[0]) return p;
  if (friction * tangent <= -p[0]) return {};
  Vec<D> nearest{};
  nearest[0] = (p[0] + friction * tangent) / (1.0 + friction * friction);
  const double factor = friction * nearest[0] / tangent;
  for (int i = 1; i < D; ++i) nearest[i] = factor * p[i];
  return nearest;
}

// r - P_K(r - (u + mu |u_T| n)): zero on the law.
template <int D>
inline Vec<D> natural_map(const Vec<D>& r, const Vec<D>& u, double friction) {
  Vec<D> shifted = r - u;
  shifted[0] -= friction * tangent_length(u);
  return r - onto_cone(shifted, friction);
}

}  // namespace moreau::inline solver
