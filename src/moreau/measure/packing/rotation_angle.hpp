// Angle by which a body has turned between two orientations.
#pragma once

#include <cmath>

#include "moreau/base/elementary.hpp"
#include "moreau/geometry/rotation.hpp"

namespace moreau::measure {

inline double angle_between(const Rotation<2>& before, const Rotation<2>& after) { return after.angle - before.angle; }

// 0 to pi, about whatever axis: 2 atan(|vector| / |scalar|) of the quaternion of the turn.
inline double angle_between(const Rotation<3>& before, const Rotation<3>& after) {
  const Rotation<3> turn = composed(after, Rotation<3>{before.w, -before.x, -before.y, -before.z});
  return 2.0 * arctangent(std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z), std::abs(turn.w));
}

}  // namespace moreau::measure
