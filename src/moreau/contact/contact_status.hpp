// Open, stick or slide, from the impulse of a contact under Coulomb's law.
#pragma once

#include "moreau/base/lanes.hpp"
#include "moreau/contact/contact_table.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline contact {

// Whether |P_T| < mu P_N up to rounding, over any number type; `normal` is P_N > 0.
template <int D, class Real>
MOREAU_INLINE auto below_bound(const Vec<D, Real>& impulse, const Vec<D, Real>& n, const Real& normal, const Real& friction) {
  const Vec<D, Real> tangent = impulse - normal * n;
  return square_root(dot(tangent, tangent)) < friction * normal * (1.0 - 1e-9);
}

template <int D>
MOREAU_BOTH inline ContactStatus status_of(const Vec<D>& impulse, const Vec<D>& n, double friction) {
  const double normal = dot(impulse, n);
  if (!(normal > 0.0)) return ContactStatus::open;
  return below_bound(impulse, n, normal, friction) ? ContactStatus::stick : ContactStatus::slide;
}

// Under a law with tension: `carried` is P_N + tension, `bound` that of |P_T| under it. Stick and slide differ by whether the
// impulse is on the border of its domain, up to rounding.
MOREAU_BOTH inline ContactStatus status_within(double carried, double tension, double tangent, double bound) {
  if (!(carried > 1e-9 * tension)) return ContactStatus::open;
  return tangent < bound * (1.0 - 1e-9) ? ContactStatus::stick : ContactStatus::slide;
}

}  // namespace moreau::inline contact
