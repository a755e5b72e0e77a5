// One contact with Coulomb friction in the plane, H any symmetric positive definite 2 x 2 matrix.
//
//   w = v + H P,   w_N >= 0, P_N >= 0, w_N P_N = 0,   |P_T| <= mu P_N,   w_T != 0  =>  P_T = -mu P_N sign(w_T)
//
// With w_N = 0 eliminated, P_N = -(v_N + H_NT P_T) / H_NN and w_T = g + S P_T, where
//   g = v_T - (H_NT / H_NN) v_N,      S = H_TT - H_NT^2 / H_NN > 0   (Schur complement).
// Branches, tried in this order:
//   open    v_N >= 0                                     P = 0
//   stick   P_T* = -g / S,  |P_T*| <= mu P_N(P_T*)       P = (P_N(P_T*), P_T*) = -H^-1 v
//   slip-+  s = sign(P_T*), w_T s <= 0                   P_N = -v_N / (H_NN + s mu H_NT),  P_T = s mu P_N
//
// When v_N < 0 the solution exists and is unique, also in the Painleve range mu |H_NT| >= H_NN: sliding means w_T = -a P_T with
// a > 0, that is P_T = -g / (S + a), so only the sign s of P_T* is possible; and |P_T| - mu P_N is affine in 1 / (S + a),
// positive at a = 0 where stick fails, -mu |v_N| / H_NN < 0 at a = infinity: one root. The same inequality says that
//   |P_T*| (H_NN + s mu H_NT) > mu |v_N|,
// so the denominator is positive, and |P_T| < |P_T*|.
// When v_N >= 0 in the Painleve range, two further solutions with P != 0 may exist; the order above chooses "open", the only
// one that is continuous in the data there and creates no impulse from nothing.
// Tested in tests/law/coulomb_plane_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "moreau/law/delassus_block.hpp"

namespace moreau::inline law {

// v: formal velocity if P were zero [velocity], normal first; friction >= 0. Returns P [impulse].
inline Vec<2> solve_coulomb_plane(const Vec<2>& v, const DelassusBlock<2>& H, double friction) {
  if (v[0] >= 0.0) return {};

  const double normal = H.c[0][0], coupling = H.c[0][1], tangent = H.c[1][1];
  if (friction == 0.0) return {{-v[0] / normal, 0.0}};
  const double g = v[1] - coupling / normal * v[0];
  // H nearly singular: rounding may leave S <= 0; S below one unit of rounding of H_TT has no meaning.
  const double schur = std::max(tangent - coupling / normal * coupling, std::numeric_limits<double>::epsilon() * tangent);
  const double stick_tangent = -g / schur;
  const double stick_normal = -(v[0] + coupling * stick_tangent) / normal;
  if (std::abs(stick_tangent) <= friction * stick_normal) return {{stick_normal, stick_tangent}};

  const double s = stick_tangent > 0.0 ? 1.0 : -1.0;
  const double denominator = normal + s * friction * coupling;
  // The proven inequality, tested before dividing; it fails only by rounding, at the border of stick.
  if (!(std::abs(stick_tangent) * denominator > -friction * v[0])) return {{std::abs(stick_tangent) / friction, stick_tangent}};
  const double slip_normal = -v[0] / denominator;
  return {{slip_normal, s * friction * slip_normal}};
}

}  // namespace moreau::inline law
