// The part of space a picture shows.
#pragma once

#include <vector>

#include "moreau/bodies/bodies.hpp"
#include "moreau/geometry/wall.hpp"

namespace moreau::inline draw {

struct Box {
  Vec<3> low{}, high{};
  Vec<3> centre() const { return 0.5 * (low + high); }
  Vec<3> size() const { return high - low; }
  bool contains(const Vec<3>& p, double slack) const {
    for (int k = 0; k < 3; ++k)
      if (p[k] < low[k] - slack || p[k] > high[k] + slack) return false;
    return true;
  }
};

// Pictures of the plane are drawn as the plane z = 0 of space, seen from above: one path for both dimensions.
inline Vec<3> lifted(const Vec<3>& v) { return v; }
inline Vec<3> lifted(const Vec<2>& v) { return {{v[0], v[1], 0.0}}; }
inline WallGeometry<3> lifted(const WallGeometry<3>& wall) { return wall; }
inline WallGeometry<3> lifted(const WallGeometry<2>& wall) {
  const Vec<3> direction = wall.shape == WallShape::plane ? lifted(wall.direction) : Vec<3>{{0.0, 0.0, 1.0}};
  return {wall.shape, lifted(wall.point), direction, wall.radius, {}};
}

// What a body covers.
struct Cover {
  Vec<3> centre;
  double radius;  // of the ball about the centre that holds it
  Box box;
};
inline Cover cover_of_ball(const Vec<3>& centre, double radius) {
  const Vec<3> half{{radius, radius, radius}};
  return {centre, radius, {centre - half, centre + half}};
}

// Bounding box of the bodies, safe against outliers: along an axis where the full extent is over 2.5 times that between the 0.5
// and 99.5 percentiles of the centres (below 200 bodies: without the two extreme ones), the latter extended by 20 % is taken
// instead. It reaches out to the `others` that bodies on its edge may touch (a floor of fixed grains goes on far beyond, and is
// cut there) and to axis-parallel walls near by. Without bodies: around the walls; without walls either: the unit box.
Box shown_box(const std::vector<Cover>& bodies, const std::vector<Cover>& others, const std::vector<WallGeometry<3>>& walls);

}  // namespace moreau::inline draw
