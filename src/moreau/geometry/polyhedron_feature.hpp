// The feature of a convex part (vertex, edge or face) that faces a direction, as a polygon of one, two or more corners.
#pragma once

#include "moreau/geometry/polyhedron_relative.hpp"

namespace moreau::inline geometry {

// Faces and edges up to this angle [rad] off the tangent plane count as lying in it: bodies that rock slightly keep the whole
// patch.
inline constexpr double patch_angle = 0.1;

struct FacingFeature {
  static constexpr int capacity = 128;
  std::int32_t id = 0;            // of the vertex, edge or face
  int count = 0;                  // of corners: 1 vertex, 2 edge, 3 and more face
  std::int32_t vertex[capacity];  // of the part
  Vec<3> corner[capacity];        // in the common frame; a face counter-clockwise seen against the direction given
  Vec<3> normal{};                // of a face, in the common frame
};

// `direction` is a unit vector in the frame of the part, `to_common` takes its points to the frame of both. Among the faces
// within `patch_angle` of the direction that reach the support height (within `tolerance`), the one with most corners there, then
// the best aligned; failing faces, the same among edges.
void find_facing(const ConvexPart<3>& part, const Vec<3>& direction, const RelativePose& to_common, double tolerance,
                 FacingFeature& feature);

}  // namespace moreau::inline geometry
