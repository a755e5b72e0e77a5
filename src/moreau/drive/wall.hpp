// A wall: a boundary of given shape, made of a material, at rest or moving as prescribed.
#pragma once

#include <cstdint>
#include <string>

#include "moreau/geometry/wall.hpp"

namespace moreau {

template <int D>
struct Wall {
  std::string name;
  WallGeometry<D> geometry;
  std::int32_t material = 0;
  std::int32_t motion = -1;   // index of its prescribed motion, -1: at rest
  std::int32_t surface = -1;  // index of the motion of its surface within itself (belt, turning drum), -1: none
};

}  // namespace moreau
