// How far a pair (w, P) of one contact is from isotropic Coulomb's law with unilateral contact; all measures vanish exactly on
// the law's graph. w: formal velocity, P: impulse, normal component first. Tested in tests/law/residual_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>

#include "moreau/base/elementary.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline law {

template <int D>
inline double tangent_norm(const Vec<D>& a) {
  if constexpr (D == 2)
    return std::abs(a[1]);
  else
    return hypotenuse(a[1], a[2]);
}

// Nearest point of the cone |P_T| <= mu P_N. Branches: inside; in the polar cone (nearest point is the apex); on the mantle.
template <int D>
inline Vec<D> project_on_cone(const Vec<D>& p, double friction) {
  const double tangent = tangent_norm(p);
  if (tangent <= friction * p[0]) return p;
  if (friction * tangent <= -p[0]) return {};
  Vec<D> nearest{};
  nearest[0] = (p[0] + friction * tangent) / (1.0 + friction * friction);
  // tangent > 0 here: with tangent = 0 one of the two returns above applies.
  for (int i = 1; i < D; ++i) nearest[i] = friction * nearest[0] / tangent * p[i];
  return nearest;
}

// De Saxce's bipotential b(w, P) = w.P + mu |w_T| P_N [energy]: >= 0 whenever w_N >= 0 and P is in the cone, and 0 there if
// and only if the law holds (Moreau 2003, eq. 29).
template <int D>
inline double bipotential(const Vec<D>& w, const Vec<D>& p, double friction) {
  return dot(w, p) + friction * tangent_norm(w) * p[0];
}

// The three conditions of Moreau 2003, eq. 29, each >= 0, all 0 if and only if the law holds.
struct LawViolation {
  double approach = 0.0;  // [velocity] max(0, -w_N)
  double cone = 0.0;      // [impulse]  distance of P to the cone
  double power = 0.0;     // [energy]   |b(w, P)|
};

template <int D>
inline LawViolation law_violation(const Vec<D>& w, const Vec<D>& p, double friction) {
  return {std::max(0.0, -w[0]), norm(p - project_on_cone(p, friction)), std::abs(bipotential(w, p, friction))};
}

// Natural map of the law [velocity], for a given compliance h > 0 [1/mass] (any value gives the same zeros; about |H| makes
// it a measure of the velocity error):
//   h | P - proj_C(P - (w + mu |w_T| n) / h) |
template <int D>
inline double natural_residual(const Vec<D>& w, const Vec<D>& p, double friction, double compliance) {
  Vec<D> shifted = w;
  shifted[0] += friction * tangent_norm(w);
  return compliance * norm(p - project_on_cone(p - (1.0 / compliance) * shifted, friction));
}

}  // namespace moreau::inline law
