// Boundaries without mass: a half-plane or plane, and the inside of a cylinder (in the plane: the inside of a circle).
#pragma once

#include "moreau/geometry/vec.hpp"

namespace moreau {

enum class WallShape { plane, cylinder };

template <int D>
struct WallGeometry {
  WallShape shape = WallShape::plane;
  Vec<D> point{};       // a point of the plane, or of the cylinder's axis (the circle's centre)
  Vec<D> direction{};   // unit normal towards the bodies, or unit vector of the axis (unused for a circle)
  double radius = 0.0;  // of the cylinder
};

template <int D>
struct Separation {
  double gap;     // negative on overlap
  Vec<D> normal;  // unit, towards the body
};

// Distance between a wall displaced by `shift` and a ball.
template <int D>
inline Separation<D> separation(const WallGeometry<D>& wall, const Vec<D>& shift, const Vec<D>& centre, double radius) {
  const Vec<D> from_wall = centre - wall.point - shift;
  if (wall.shape == WallShape::plane) return {dot(from_wall, wall.direction) - radius, wall.direction};
  Vec<D> radial = from_wall;
  if constexpr (D == 3) radial -= dot(from_wall, wall.direction) * wall.direction;
  const double distance = norm(radial);
  if (distance == 0.0) {  // on the axis every direction is the nearest; the contact is a full radius away, so any will do
    Vec<D> any{};
    any[0] = 1.0;
    return {wall.radius - radius, any};
  }
  return {wall.radius - distance - radius, (-1.0 / distance) * radial};
}

}  // namespace moreau
