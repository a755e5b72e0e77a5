// The schemes that integrate accelerations, both as predictor and corrector (Gear; Allen and Tildesley, Computer simulation of
// liquids, E.1). Predicted by Taylor's series from position, velocity, acceleration and jerk; then, with e the acceleration found
// there less the predicted one,
//   x += position h^2 e,   v += velocity h e,   a += e,   jerk += jerk e / h.
// Velocity Verlet is the scheme without jerk whose positions are not corrected; its dashpots see the predicted velocity v + h a,
// which keeps its order.
#pragma once

#include "moreau/base/inline.hpp"
#include "moreau/dynamics/model.hpp"

namespace moreau::soft {

struct Scheme {
  double position = 0.0, velocity = 0.5, jerk = 0.0;
  bool keeps_jerk() const { return jerk != 0.0; }
  // Of Verlet's scheme v + h a / 2 is the path of the step over h; tangential springs are extended by it.
  bool takes_mean_velocity() const { return !keeps_jerk(); }
};

inline Scheme scheme_of(Integrator integrator) {
  if (integrator == Integrator::verlet) return {};
  return {1.0 / 12.0, 5.0 / 12.0, 1.0};  // coefficients 1/6, 5/6, 1, 1/3 of the scaled derivatives
}

// What the predictor adds to the position; number or vector.
template <class T>
MOREAU_INLINE T path(double h, const T& velocity, const T& acceleration, const T& jerk) {
  return h * (velocity + (0.5 * h) * (acceleration + (h / 3.0) * jerk));
}
template <class T>
MOREAU_INLINE T gain(double h, const T& acceleration, const T& jerk) {
  return h * (acceleration + (0.5 * h) * jerk);
}

// sum + carry += added, with all digits: the carry is what rounding the sum leaves (Knuth's exact sum of two).
template <class Real>
MOREAU_INLINE void add_exactly(Real& sum, Real& carry, const Real& added) {
  const Real small = carry + added, whole = sum + small, back = whole - sum;
  carry = (sum - (whole - back)) + (small - back);
  sum = whole;
}
template <int D>
MOREAU_INLINE void add_exactly(Vec<D>& sum, Vec<D>& carry, const Vec<D>& added) {
  for (int d = 0; d < D; ++d) add_exactly(sum[d], carry[d], added[d]);
}

}  // namespace moreau::soft
