// Sinks: parts of space where bodies leave the simulation, as soon as their centre enters.
#pragma once

#include <string>

#include "moreau/base/inline.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline drive {

template <int D>
struct SinkRegion {
  enum class Shape { half_space, box, cylinder, ball } shape = Shape::half_space;
  Vec<D> point{}, direction{};  // half-space: what lies on the side of `direction` of the plane through `point`
  Vec<D> low{}, high{};         // box; cylinder: the last components
  Vec<D> centre{};              // cylinder (upright, the last component unused), ball
  double radius = 0.0;

  MOREAU_BOTH bool contains(const Vec<D>& x) const {
    if (shape == Shape::half_space) return dot(x - point, direction) > 0.0;
    if (shape != Shape::ball)
      for (int k = shape == Shape::box ? 0 : D - 1; k < D; ++k)
        if (!(x[k] >= low[k] && x[k] <= high[k])) return false;
    if (shape == Shape::box) return true;
    double square = 0.0;
    for (int k = 0; k < (shape == Shape::ball ? D : D - 1); ++k) square += (x[k] - centre[k]) * (x[k] - centre[k]);
    return square <= radius * radius;
  }
};

template <int D>
struct Sink : SinkRegion<D> {
  std::string name;
};

}  // namespace moreau::inline drive
