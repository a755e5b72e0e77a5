// Moments of a union of convex parts that overlap: of polyhedra by inclusion and exclusion over their intersections, which are
// polyhedra again.
#include <algorithm>

#include "moreau/geometry/mass_properties.hpp"
#include "moreau/geometry/polyhedron_moments.hpp"

namespace moreau::inline geometry {
namespace {

// What many parts have in common grows like 2^parts; beyond this many intersections the quadrature is used.
constexpr int most_intersections = 20000;

const Vec<3>& vertex(const ConvexPart<3>& part, std::int32_t i) { return part.vertices[static_cast<std::size_t>(i)]; }

// Ends of the pieces of the edges of p that lie in q. Edges in the plane of a face, up to rounding, count as inside.
void add_common_edges(const ConvexPart<3>& p, const ConvexPart<3>& q, std::vector<Vec<3>>& points) {
  const double rounding = 1e-13 * (p.reach + q.reach);
  for (const PolyhedronEdge& edge : p.topology.edges) {
    const Vec<3> tail = vertex(p, edge.vertices[0]), along = vertex(p, edge.vertices[1]) - tail;
    double from = 0.0, to = 1.0;
    for (const PolyhedronFace& face : q.topology.faces) {
      const double height = dot(face.normal, tail) - face.offset - rounding, slope = dot(face.normal, along);
      if (slope > 0.0) to = std::min(to, -height / slope);
      if (slope < 0.0) from = std::max(from, -height / slope);
      if (slope == 0.0 && height > 0.0) to = -1.0;
    }
    if (from <= to) points.push_back(tail + from * along), points.push_back(tail + to * along);
  }
}

// The vertices of an intersection are vertices of one that lie in the other, and edges of one through faces of the other: all are
// ends of common pieces of edges. False when it has no volume.
bool intersect(const ConvexPart<3>& p, const ConvexPart<3>& q, ConvexPart<3>& common) {
  std::vector<Vec<3>> points;
  add_common_edges(p, q, points);
  add_common_edges(q, p, points);
  HullResult<3> result = convex_hull<3>(std::span<const Vec<3>>(points));
  if (!result.fault.empty()) return false;
  common = std::move(result.part);
  return true;
}

struct Inclusion {
  const std::vector<ConvexPart<3>>& parts;
  Moments sum{};
  int left = most_intersections;

  // Adds, with alternating sign, the intersections of `common` with all sets of parts from `next` on.
  void add(const ConvexPart<3>& common, std::size_t next, double sign) {
    Moments m = moments_of(common);
    m.volume *= sign;
    m.first *= sign;
    for (Vec<3>& row : m.second.row) row *= sign;
    sum += m;
    for (; next < parts.size() && left > 0; ++next, --left)
      if (ConvexPart<3> smaller; intersect(common, parts[next], smaller)) add(smaller, next + 1, -sign);
  }
};

}  // namespace

Moments moments_of_union(const std::vector<ConvexPart<3>>& parts) {
  const auto sharp = [](const ConvexPart<3>& part) { return part.radius == 0.0; };
  if (std::all_of(parts.begin(), parts.end(), sharp)) {
    Inclusion inclusion{parts};
    for (std::size_t i = 0; i < parts.size(); ++i) inclusion.add(parts[i], i + 1, 1.0);
    if (inclusion.left > 0) return inclusion.sum;
  }
  return moments_by_quadrature(parts);
}

}  // namespace moreau::inline geometry
