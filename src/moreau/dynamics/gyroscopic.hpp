// Torque-free turning of a rigid body over one step: I dW/dt = -W x I W in the axes of the body (Euler's equations).
//
// Implicit midpoint rule, I (W' - W) + h Wm x I Wm = 0 with Wm = (W + W')/2, which keeps the quadratic invariants W.I W (twice
// the energy) and |I W|^2 exactly, whatever h.
#pragma once

#include "moreau/geometry/pose.hpp"

namespace moreau::inline dynamics {

MOREAU_BOTH inline Vec<3> solved(const Matrix<3>& m, const Vec<3>& right) {  // Cramer's rule
  const Vec<3> yz = cross(m.row[1], m.row[2]), zx = cross(m.row[2], m.row[0]), xy = cross(m.row[0], m.row[1]);
  return (1.0 / dot(m.row[0], yz)) * (right[0] * yz + right[1] * zx + right[2] * xy);
}

// `spin` in the axes of the body, along which the moments of inertia are `inertia`. Newton's method; for |spin| h < 1 it reaches
// rounding in 3 or 4 steps.
MOREAU_BOTH inline Vec<3> turned_freely(const Vec<3>& spin, const Vec<3>& inertia, double h) {
  if (inertia[0] == inertia[1] && inertia[1] == inertia[2]) return spin;
  const Vec<3> i = (3.0 / (inertia[0] + inertia[1] + inertia[2])) * inertia;
  // Wm x I Wm, component 0: (i2 - i1) w1 w2, and so on around.
  const double c0 = i[2] - i[1], c1 = i[0] - i[2], c2 = i[1] - i[0];
  Vec<3> after = spin;
  for (int step = 0; step < 20; ++step) {
    const Vec<3> w = 0.5 * (spin + after);
    const Vec<3> change = after - spin;
    const Vec<3> defect{{i[0] * change[0] + h * c0 * w[1] * w[2], i[1] * change[1] + h * c1 * w[2] * w[0],
                         i[2] * change[2] + h * c2 * w[0] * w[1]}};
    const double k = 0.5 * h;
    const Matrix<3> jacobian{
        {{{i[0], k * c0 * w[2], k * c0 * w[1]}}, {{k * c1 * w[2], i[1], k * c1 * w[0]}}, {{k * c2 * w[1], k * c2 * w[0], i[2]}}}};
    const Vec<3> correction = solved(jacobian, defect);
    after -= correction;
    if (norm(correction) <= 1e-16 * norm(spin)) break;
  }
  return after;
}

}  // namespace moreau::inline dynamics
