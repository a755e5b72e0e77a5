// What surrounds the bodies at the middle of a step, as the search and the narrow phase see it.
#pragma once

#include <span>

#include "moreau/drive/wall.hpp"
#include "moreau/geometry/lattice.hpp"

namespace moreau {

template <int D>
struct Surroundings {
  std::span<const Wall<D>> walls;
  std::span<const Vec<D>> shift, velocity;  // of the walls
  Lattice<D> lattice{};
  Matrix<D> gradient{};  // the image of a body moves with gradient * shift relative to it
  Vec<D> centre{};       // a point about which the bodies of a deforming cell move with it
};

}  // namespace moreau
