// Where a convex part touches a mesh, or nearly: its corners on the faces, corners of the mesh on its faces, and edges that
// cross. The features of a flat patch are not felt, so that a block slides over a tessellated plane as over a plane.
#pragma once

#include "moreau/geometry/manifold.hpp"
#include "moreau/geometry/mesh_ball.hpp"

namespace moreau::inline geometry {

template <int D>
struct PartTouch {
  Vec<D> point;        // half-way between the two surfaces
  Vec<D> normal;       // unit, towards the part
  double gap;          // along the normal; negative on overlap
  std::uint64_t name;  // of the pair of features, unique within part and mesh: 48 bits
};

enum class TouchKind : std::uint8_t {
  corner_on_patch,
  corner_on_edge,
  corner_on_vertex,
  face_on_vertex,
  edge_on_vertex,
  edge_on_edge
};

inline std::uint64_t touch_name(TouchKind kind, std::size_t of_part, std::int32_t of_mesh) {
  return (static_cast<std::uint64_t>(kind) << 45) | ((static_cast<std::uint64_t>(of_part) & 0x1fff) << 32) |
         static_cast<std::uint32_t>(of_mesh);
}

// Adds the contacts with the given faces of gap <= margin, of a part at `pose` in the frame of the mesh, in the order of their
// names.
template <int D>
void part_touches(const Mesh<D>& mesh, std::span<const std::int32_t> faces, const ConvexPart<D>& part, const Pose<D>& pose,
                  double margin, std::vector<PartTouch<D>>& touches);

}  // namespace moreau::inline geometry
