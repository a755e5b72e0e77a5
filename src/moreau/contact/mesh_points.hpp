// Where bodies touch walls that are meshes.
//
// Every body remembers the faces near it, found through the tree of the mesh, as long as it has not moved away from where they
// were found, seen from the mesh; so a mesh that turns costs no more than one at rest, and a body far from it next to nothing.
// What is remembered influences nothing: whether a face is touched is decided anew in every step.
#pragma once

#include <vector>

#include "moreau/bodies/bodies.hpp"
#include "moreau/contact/neighbours.hpp"
#include "moreau/contact/touching_points.hpp"

namespace moreau::inline contact {

template <int D>
class MeshPoints {
 public:
  // Before a step: makes room for the bodies and walls there are.
  void prepare(std::size_t bodies, const Surroundings<D>& around);

  // Adds the points of body a and mesh w with gap <= ahead.distance + ahead.time * approach speed, in the order of their names.
  // Threads may ask for different bodies at the same time.
  void find(const Bodies<D>& bodies, std::span<const Pose<D>> poses, const Surroundings<D>& around, LookAhead ahead,
            std::size_t a, std::size_t w, std::vector<TouchingPoint<D>>& points);

  std::size_t bytes() const;

 private:
  struct Near {
    Vec<D> at{};           // the centre of the body when they were found, in the frame of the mesh
    double within = -1.0;  // they are all that are so near to it
    std::vector<std::int32_t> faces;
  };
  struct OfWall {
    const MeshSurface<D>* mesh = nullptr;
    std::vector<Near> near;  // of every body
  };
  std::span<const std::int32_t> faces_near(const MeshSurface<D>& surface, Near& near, const Vec<D>& centre, double needed,
                                           double radius) const;

  std::vector<OfWall> walls_;
};

}  // namespace moreau::inline contact
