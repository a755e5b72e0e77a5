// Where a ball touches a mesh, or nearly.
//
// Contacts are the local minima of the distance from the centre of the ball to the surface: a face always, an edge or a vertex
// only if no face beside it comes nearer. So a ball that rolls from triangle to triangle meets no edge that it should not feel.
// Of two contacts the farther is left out if its foot does not stand out of the tangent plane of the nearer: the ball cannot
// reach it there (the back of a plate, the border of a triangle whose neighbour was not joined to it, the same foot found twice).
#pragma once

#include "moreau/geometry/mesh.hpp"

namespace moreau::inline geometry {

enum class MeshFeature : std::uint8_t { patch, edge, vertex };

template <int D>
struct MeshTouch {
  Vec<D> foot;      // of the surface
  Vec<D> normal;    // unit, towards the centre of the ball
  double distance;  // from the foot to the centre
  MeshFeature feature;
  std::int32_t index;  // of the patch, edge or vertex
};

// Adds the contacts with the given faces at most `reach` away from `centre`, in order of feature and index.
template <int D>
void ball_touches(const Mesh<D>& mesh, std::span<const std::int32_t> faces, const Vec<D>& centre, double reach,
                  std::vector<MeshTouch<D>>& touches);

// Whether a surface has a supporting plane with this normal (of any length) at an edge or a vertex: no face rises above it by
// more than a rounding error.
bool supports_at_edge(const Mesh<3>& mesh, std::int32_t edge, const Vec<3>& normal);
template <int D>
bool supports_at_vertex(const Mesh<D>& mesh, std::int32_t vertex, const Vec<D>& normal);

}  // namespace moreau::inline geometry
