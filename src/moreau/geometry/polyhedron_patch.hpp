// Where two convex parts touch, given the direction in which they do: the corners of the overlap of the two features (vertex,
// edge or face) that face each other, seen along that direction.
#pragma once

#include "moreau/geometry/manifold.hpp"
#include "moreau/geometry/polyhedron_relative.hpp"

namespace moreau::inline geometry {

// Edges that cross at less than this angle [rad] touch at the two ends of their common stretch, others at the crossing.
inline constexpr double parallel_angle = 0.02;
// Corners of the patch nearer than this, relative to the size of the parts, to a vertex bear the name of that vertex, so that
// flush blocks keep their names.
inline constexpr double naming_distance = 1e-6;

// Names of points: which vertex of which part, or which two edges. 2 bits of kind, 15 for the first part, 15 for the second.
enum class PointKind : std::uint32_t { vertex_of_first, vertex_of_second, crossing_of_edges, other };
constexpr std::uint32_t point_name(PointKind kind, std::int32_t first, std::int32_t second) {
  return (static_cast<std::uint32_t>(kind) << 30) | (static_cast<std::uint32_t>(first & 0x7fff) << 15) |
         static_cast<std::uint32_t>(second & 0x7fff);
}
// The name when the parts change places.
constexpr std::uint32_t swapped_name(std::uint32_t name) {
  const auto kind = static_cast<PointKind>(name >> 30);
  const auto first = static_cast<std::int32_t>((name >> 15) & 0x7fff), second = static_cast<std::int32_t>(name & 0x7fff);
  if (kind == PointKind::vertex_of_first) return point_name(PointKind::vertex_of_second, second, first);
  if (kind == PointKind::vertex_of_second) return point_name(PointKind::vertex_of_first, second, first);
  return point_name(kind, second, first);
}

// A pair of points of the two cores, one behind the other along the direction.
struct PatchPoint {
  Vec<3> on_a, on_b;  // in the frame of a
  double separation;
  std::uint32_t name;
};

struct Patch {
  static constexpr int capacity = 272;  // two faces of 128 corners overlap in a polygon of at most 256
  PatchPoint point[capacity];
  int count = 0;
  double least = HUGE_VAL;  // separation of a pair of points that lie on the cores
};

// The tangent plane: unit direction from a to b, and a pair of points where the separation along it is attained.
struct TangentPlane {
  Vec<3> direction;
  Vec<3> on_a, on_b;
  double separation;
};

// All corners of the patch with separation up to `limit`, each name once, ordered by name. The pair of the plane is among them
// when the overlap of the features does not reach its separation (then the overlap is a point that rounding has lost).
void find_patch(const ConvexPart<3>& a, const ConvexPart<3>& b, const RelativePose& b_to_a, const TangentPlane& plane,
                double size, double limit, Patch& patch);

}  // namespace moreau::inline geometry
