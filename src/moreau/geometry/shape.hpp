// Shapes of bodies that are not round: unions of convex parts, given in the frame of the body, whose origin is the centre of mass
// and whose axes are the principal axes of inertia (in the plane: any axes).
//
// A convex part is the set of points within `radius` of the convex hull of its vertices: radius 0 is a polygon or polyhedron, one
// vertex with a radius is a disc or ball, two a capsule, more a block with rounded corners.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "moreau/geometry/rotation.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline geometry {

// Faces and edges of a polyhedron; in the plane the edges are vertex i -> vertex i + 1 and nothing is stored.
struct PolyhedronFace {
  std::vector<std::int32_t> vertices;  // counter-clockwise seen from outside
  Vec<3> normal{};                     // unit, outwards
  double offset = 0.0;                 // normal . x on the face
};
struct PolyhedronEdge {
  std::array<std::int32_t, 2> vertices{};
  std::array<std::int32_t, 2> faces{};  // to its left and right, going along it and seen from outside
};
template <int D>
struct PartTopology {};
template <>
struct PartTopology<3> {
  std::vector<PolyhedronFace> faces;
  std::vector<PolyhedronEdge> edges;  // from lower to higher vertex, in lexicographic order
};

template <int D>
struct ConvexPart {
  std::vector<Vec<D>> vertices;  // in the plane: counter-clockwise, no three in line
  PartTopology<D> topology;      // empty for a ball (one vertex) and a capsule (two)
  double radius = 0.0;           // of the rounding
  Vec<D> centre{};               // of a ball that holds the part,
  double reach = 0.0;            // and its radius
};

template <int D>
struct Shape {
  std::vector<ConvexPart<D>> parts;
  double volume = 0.0;  // in the plane: area
  Spin<D> gyration{};   // principal moments of inertia about the centre, per unit mass [length^2]
  double reach = 0.0;   // of the ball about the centre of mass that holds the shape
};

}  // namespace moreau::inline geometry
