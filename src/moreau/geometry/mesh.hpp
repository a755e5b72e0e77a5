// A surface made of triangles (in the plane: a polyline made of segments), open or closed, with what contact needs of its
// connectivity. Bodies may touch it from both sides.
//
// A *feature* is a face, an edge or a vertex. Faces that meet without an angle form one flat *patch*, and the edges and vertices
// within it are not felt: a ball rolls over a tessellated plane as over a plane.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline geometry {

// Numbers of several lists, one behind the other: those of list k are item[first[k]] ... item[first[k + 1] - 1].
struct Lists {
  std::vector<std::int32_t> first, item;
  std::span<const std::int32_t> of(std::size_t k) const {
    return std::span(item).subspan(static_cast<std::size_t>(first[k]), static_cast<std::size_t>(first[k + 1] - first[k]));
  }
};

template <int D>
using MeshFace = std::array<std::int32_t, D>;  // vertices

// Two faces meet without an angle if the sine between them is below this.
inline constexpr double flat_angle = 2e-5;

template <int D>
struct Mesh {
  std::string digest;  // of the file it was read from
  std::vector<Vec<D>> vertices;
  std::vector<MeshFace<D>> faces;

  // What follows is made by `connect`.
  std::vector<Vec<D>> normal;       // of every face, unit; to the side from which its vertices go round counter-clockwise (in the
                                    // plane: to the left of the way from the first vertex to the second)
  std::vector<std::int32_t> patch;  // of every face: the least number of the faces with which it forms a plane
  Lists around;                     // of every vertex: those it shares an edge with
  std::vector<std::uint8_t> sharp_vertex;  // whether edges that are felt end or bend there
  std::vector<std::int32_t> vertex_patch;  // of the vertices inside a patch: the patch, else -1
  // In space: edge k of a face goes from its vertex k to the next.
  std::vector<std::array<std::int32_t, 2>> edges;  // lower vertex first
  std::vector<std::array<std::int32_t, 3>> face_edges;
  Lists edge_faces;                           // of every edge, as 3 face + k
  std::vector<std::int32_t> edge_patch;       // of the edges that are not felt: the patch they lie in, else -1
  std::vector<std::array<Vec<3>, 3>> inward;  // of edge k of every face: unit, in the face, across the edge

  double reach = 0.0;  // of the ball about the origin that holds the mesh
};

// Fills in all that follows from vertices and faces. Before: every face has a size, every vertex is finite.
template <int D>
void connect(Mesh<D>& mesh);

// How well a mesh closes: edges (in the plane: vertices) of one face, and of more than two.
struct MeshBorders {
  std::size_t open = 0, branching = 0;
  bool closed() const { return open == 0 && branching == 0; }
};
template <int D>
MeshBorders borders_of(const Mesh<D>& mesh);

}  // namespace moreau::inline geometry
