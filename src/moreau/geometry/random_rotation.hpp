// Directions and orientations without preference.
#pragma once

#include <numbers>

#include "moreau/base/random.hpp"
#include "moreau/geometry/rotation.hpp"

namespace moreau::inline geometry {

// A point of the unit ball, not too near its centre, brought to the surface: exact arithmetic, the same on every machine.
template <int D>
Vec<D> random_direction(RandomStream& random) {
  for (;;) {
    Vec<D> v;
    for (int i = 0; i < D; ++i) v[i] = random.uniform(-1.0, 1.0);
    const double squared = dot(v, v);
    if (squared > 1e-4 && squared <= 1.0) return normalized(v);
  }
}

inline Rotation<2> random_rotation(RandomStream& random, Rotation<2>) { return {2.0 * std::numbers::pi * random.uniform()}; }

inline Rotation<3> random_rotation(RandomStream& random, Rotation<3>) {  // a unit quaternion uniform on its sphere
  const Vec<4> q = random_direction<4>(random);
  return {q[0], q[1], q[2], q[3]};
}

}  // namespace moreau::inline geometry
