// What surrounds the bodies at the middle of a step, as the search and the narrow phase see it.
#pragma once

#include <span>

#include "moreau/drive/motion.hpp"
#include "moreau/drive/wall.hpp"
#include "moreau/geometry/lattice.hpp"

namespace moreau::inline contact {

template <int D>
struct Surroundings {
  std::span<const Wall<D>> walls;
  std::span<const Vec<D>> shift, velocity;  // of the walls
  Lattice<D> lattice{};
  Matrix<D> gradient{};                         // the image of a body moves with gradient * shift relative to it
  Vec<D> centre{};                              // a point about which the bodies of a deforming cell move with it
  std::span<const Matrix<D>> turn{};            // of the walls; empty: none has turned
  std::span<const RigidVelocity<D>> surface{};  // of the walls; needed of those that turn
  Vec<D> fall{};                                // velocity that gravity gives to free bodies in the step

  Pose<D> pose_of_wall(std::size_t w) const {
    return {walls[w].geometry.point + shift[w], turn.empty() ? identity<D>() : turn[w]};
  }
  // Of the points of a wall, not of a surface that moves within it.
  Vec<D> wall_velocity(std::size_t w, const Vec<D>& point) const {
    return walls[w].turning < 0 ? velocity[w] : velocity[w] + surface[w].at(point);
  }
};

}  // namespace moreau::inline contact
