// Boundaries without mass: a half-plane or plane, the inside of a cylinder (in the plane: the inside of a circle), and a mesh.
#pragma once

#include <memory>

#include "moreau/geometry/mesh_tree.hpp"
#include "moreau/geometry/pose.hpp"

namespace moreau::inline geometry {

enum class WallShape { plane, cylinder, mesh };

template <int D>
struct MeshSurface {
  Mesh<D> mesh;
  MeshTree<D> tree;
  explicit MeshSurface(Mesh<D> m) : mesh(std::move(m)), tree(mesh) {}
};

template <int D>
struct WallGeometry {
  WallShape shape = WallShape::plane;
  Vec<D> point{};       // a point of the plane, or of the cylinder's axis (the circle's centre); the origin of the mesh
  Vec<D> direction{};   // unit normal towards the bodies, or unit vector of the axis (unused for a circle)
  double radius = 0.0;  // of the cylinder; of the ball about the origin of the mesh that holds it
  std::shared_ptr<const MeshSurface<D>> mesh{};  // null for the other shapes, and in frames until they are given their meshes
};

template <int D>
struct Separation {
  double gap;     // negative on overlap
  Vec<D> normal;  // unit, towards the body
};

// Distance between a wall displaced by `shift` and a ball; for a mesh that of the ball that holds it, which is no more.
template <template <int> class Geometry, int D>  // WallGeometry, or what else has its members
MOREAU_BOTH inline Separation<D> separation(const Geometry<D>& wall, const Vec<D>& shift, const Vec<D>& centre, double radius) {
  const Vec<D> from_wall = centre - wall.point - shift;
  if (wall.shape == WallShape::plane) return {dot(from_wall, wall.direction) - radius, wall.direction};
  if (wall.shape == WallShape::mesh) return {norm(from_wall) - wall.radius - radius, {}};
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

// Distance between a ball and a mesh that lies at `pose`, or `most` if it is more than that.
template <int D>
inline double mesh_gap(const MeshSurface<D>& surface, const Pose<D>& pose, const Vec<D>& centre, double radius, double most) {
  const Vec<D> inside = transposed_times(pose.rotation, centre - pose.position);
  return surface.tree.distance(surface.mesh, inside, radius + most) - radius;
}

}  // namespace moreau::inline geometry
