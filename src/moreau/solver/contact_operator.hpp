// The local operator H = G A^-1 G^T of a contact between bodies of any shape, applied to an impulse.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "moreau/base/elementary.hpp"
#include "moreau/geometry/tangent.hpp"
#include "moreau/solver/formal_contact.hpp"
#include "moreau/solver/solver_body.hpp"

namespace moreau::inline solver {

// I^-1 (arm x force): the spin that an impulse brings.
MOREAU_BOTH inline Vec<1> spin_gained(const Mobility<2>& body, const Vec<2>& arm, const Vec<2>& impulse) {
  return body.inverse_inertia[0] * moment(arm, impulse);
}
MOREAU_BOTH inline Vec<3> spin_gained(const Mobility<3>& body, const Vec<3>& arm, const Vec<3>& impulse) {
  const Vec<3> m = moment(arm, impulse);
  const double* i = body.inverse_inertia;
  return {{i[0] * m[0] + i[3] * m[1] + i[4] * m[2], i[3] * m[0] + i[1] * m[1] + i[5] * m[2],
           i[4] * m[0] + i[5] * m[1] + i[2] * m[2]}};
}

// Relative velocity of the first body at the contact brought by an impulse there.
template <int D>
MOREAU_BOTH Vec<D> velocity_gained(const Mobility<D>& a, const Mobility<D>& b, const RigidContact<D>& c, const Vec<D>& impulse) {
  Vec<D> u = (a.inverse_mass + b.inverse_mass + c.compliance) * impulse;
  u += cross(spin_gained(a, c.arm_a, impulse), c.arm_a);
  u += cross(spin_gained(b, c.arm_b, impulse), c.arm_b);
  return u;
}

// H nearly singular: an eigenvalue of S below one unit of rounding of H_TT has no meaning.
MOREAU_BOTH inline double floored(double eigenvalue, double tangential) {
  return std::max(eigenvalue, std::numeric_limits<double>::epsilon() * tangential);
}

// H in a frame n, t, s: H_NN, H_NT and the three numbers of H_TT. And with the tangents turned so that S is diagonal:
// t' = cosine t + sine s, s' = cosine s - sine t.
struct TangentOperator {
  double normal, k1, k2, h11, h22, h12;
};
struct DiagonalOperator {
  double cosine, sine, coupling[2], schur[2];
};
MOREAU_BOTH inline DiagonalOperator diagonal(const TangentOperator& h) {
  const double s11 = h.h11 - h.k1 / h.normal * h.k1, s22 = h.h22 - h.k2 / h.normal * h.k2, s12 = h.h12 - h.k1 / h.normal * h.k2;
  const auto [sine, cosine] = half_angle(2.0 * s12, s11 - s22);
  const double half_sum = 0.5 * (s11 + s22), half_difference = hypotenuse(0.5 * (s11 - s22), s12);
  return {cosine,
          sine,
          {cosine * h.k1 + sine * h.k2, cosine * h.k2 - sine * h.k1},
          {floored(half_sum + half_difference, h.h11 + h.h22), floored(half_sum - half_difference, h.h11 + h.h22)}};
}

}  // namespace moreau::inline solver
