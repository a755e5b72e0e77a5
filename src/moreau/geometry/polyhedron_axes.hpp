// Axes along which the cores of two convex parts in space may be parted: normals of faces, and common normals of two edges.
#pragma once

#include "moreau/geometry/polyhedron_relative.hpp"

namespace moreau::inline geometry {

struct FaceAxis {
  std::int32_t face = -1;
  std::int32_t vertex = -1;       // of the other part, the lowest over the face
  double separation = -HUGE_VAL;  // negative: the depth along this normal
  double alignment = -HUGE_VAL;   // of the normal with the line of centres; decides between equals
};

// The face of p over which all of q lies highest. Stops at the first face over `limit`. `witness` is some vertex of q, best one
// that is near p: a face cannot do better than the height of the witness over it, which spares most faces.
FaceAxis best_face(const ConvexPart<3>& p, const ConvexPart<3>& q, const RelativePose& q_to_p, std::int32_t witness, double limit,
                   double tolerance);

// Does the second axis beat the first? Separations within the tolerance are equal; then the one along the line of centres, then
// the first.
inline bool beats(double separation, double alignment, double than_separation, double than_alignment, double tolerance) {
  if (separation > than_separation + tolerance) return true;
  return separation >= than_separation - tolerance && alignment > than_alignment + 1e-6;
}

struct EdgeAxis {
  std::int32_t edge_a = -1, edge_b = -1;
  Vec<3> direction{};  // unit, from a to b
  double separation = -HUGE_VAL;
  Vec<3> on_a{}, on_b{};  // nearest points of the two lines, in the frame of a
  bool crosses = false;   // both points lie within the edges
};

// The common normal of two edges along which the cores overlap least, among those pairs of edges that make a face of the
// Minkowski difference (their arcs on the Gauss map cross). Given a face normal `along` (unit, from a to b, support height `top`
// of a) with depth below `depth`, only edges near the overlap can do better; the others are passed over. b may be a single
// segment.
EdgeAxis best_edges(const ConvexPart<3>& a, const ConvexPart<3>& b, const RelativePose& b_to_a, const Vec<3>& along, double top,
                    double depth);

}  // namespace moreau::inline geometry
