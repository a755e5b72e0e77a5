// Gravity that turns, as seen from a vessel being tilted: by an angle that grows from one value to another at a constant rate.
#pragma once

#include <algorithm>

#include "moreau/geometry/rotation.hpp"

namespace moreau::inline drive {

template <int D>
struct Tilt {
  double from = 0.0, to = 0.0;  // [rad]
  double rate = 0.0;            // [rad/time] > 0; 0: gravity stays as it is
  double start = 0.0;           // time at which the angle leaves `from`
  Spin<D> axis{};               // unit vector; in the plane 1, anticlockwise

  bool acts() const { return rate > 0.0; }
  double angle(double time) const {
    const double turned_by = std::clamp(rate * (time - start), 0.0, std::abs(to - from));
    return from + (to < from ? -turned_by : turned_by);
  }
};

template <int D>
inline Vec<D> tilted(const Vec<D>& gravity, const Tilt<D>& tilt, double time) {
  return tilt.acts() ? rotate(turned(Rotation<D>{}, tilt.axis, tilt.angle(time)), gravity) : gravity;
}

}  // namespace moreau::inline drive
