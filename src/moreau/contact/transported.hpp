// Impulses carried from one step to the next.
#pragma once

#include "moreau/geometry/vec.hpp"

namespace moreau::inline contact {

// The impulse with which a contact starts when it was there in the previous step: the normal part along the new normal, the
// tangential part projected on the new tangent plane, times `scale` (ratio of the time steps: a force lasts). Any number type.
template <int D, class Real>
MOREAU_INLINE Vec<D, Real> transported(const Vec<D, Real>& impulse, const Vec<D, Real>& old_normal,
                                       const Vec<D, Real>& new_normal, const Real& scale) {
  const Real normal_part = dot(impulse, old_normal);
  Vec<D, Real> tangent = impulse - normal_part * old_normal;
  tangent -= dot(tangent, new_normal) * new_normal;
  return scale * (normal_part * new_normal + tangent);
}

}  // namespace moreau::inline contact
