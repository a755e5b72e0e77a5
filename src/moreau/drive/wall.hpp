// A wall: a boundary of given shape, made of a material, at rest or moving as prescribed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "moreau/geometry/wall.hpp"

namespace moreau::inline drive {

// Ground that yields: a spring and a dashpot along a direction, with a mass that moves (drive/piston.hpp).
template <int D>
struct Soil {
  double stiffness = 0.0, damping = 0.0, mass = 0.0;  // [force / length], [force / velocity]; mass 0: as light as a piston
  Vec<D> direction{};                                 // unit, towards the bodies
  bool exists() const { return stiffness > 0.0; }
};

template <int D>
struct Wall {
  std::string name;
  WallGeometry<D> geometry;
  std::int32_t material = 0;
  std::int32_t motion = -1;   // index of its prescribed motion, -1: at rest
  std::int32_t turning = -1;  // index of the motion that turns it, of a mesh only; its surface then moves with it
  std::int32_t surface = -1;  // index of the motion of its surface within itself (belt, turning drum), -1: none
  Soil<D> soil{};
  bool wears = false;  // the work of friction on each of its faces is counted; of a mesh only
};

// The faces of all walls that wear, one wall behind the other: those of wall w are first[w] ... first[w + 1] - 1.
template <int D>
inline std::vector<std::size_t> first_worn_faces(std::span<const Wall<D>> walls) {
  std::vector<std::size_t> first{0};
  for (const Wall<D>& wall : walls)
    first.push_back(first.back() + (wall.wears && wall.geometry.mesh ? wall.geometry.mesh->mesh.faces.size() : 0));
  return first;
}

// Contacts with meshes have points and features of their own, even those of balls.
template <int D>
inline bool any_mesh(std::span<const Wall<D>> walls) {
  return std::ranges::any_of(walls, [](const Wall<D>& wall) { return wall.geometry.shape == WallShape::mesh; });
}

}  // namespace moreau::inline drive
