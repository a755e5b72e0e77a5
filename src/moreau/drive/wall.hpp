// A wall: a boundary of given shape, made of a material, at rest or moving as prescribed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "moreau/geometry/wall.hpp"

namespace moreau {

template <int D>
struct Wall {
  std::string name;
  WallGeometry<D> geometry;
  std::int32_t material = 0;
  std::int32_t motion = -1;   // index of its prescribed motion, -1: at rest
  std::int32_t turning = -1;  // index of the motion that turns it, of a mesh only; its surface then moves with it
  std::int32_t surface = -1;  // index of the motion of its surface within itself (belt, turning drum), -1: none
};

// Contacts with meshes have points and features of their own, even those of balls.
template <int D>
inline bool any_mesh(std::span<const Wall<D>> walls) {
  return std::ranges::any_of(walls, [](const Wall<D>& wall) { return wall.geometry.shape == WallShape::mesh; });
}

}  // namespace moreau
