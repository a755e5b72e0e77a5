// Contact points of a convex part with a wall in space. A plane and the inside of a cylinder bound convex rooms, so that the part
// comes nearest to them with its vertices.
#include <vector>

#include "moreau/geometry/polyhedron_corners.hpp"
#include "moreau/geometry/polyhedron_patch.hpp"

namespace moreau::inline geometry {

template <>
void wall_manifold<3>(const ConvexPart<3>& a, const Pose<3>& at_a, const WallGeometry<3>& wall, const Vec<3>& shift,
                      double margin, Manifold<3>& manifold) {
  manifold.count = 0;
  if (separation(wall, shift, at_a.place(a.centre), a.reach).gap > margin) return;
  thread_local std::vector<ManifoldPoint<3>> near;  // keeps its memory from call to call
  near.clear();
  for (std::size_t v = 0; v < a.vertices.size(); ++v) {
    const Vec<3> at = at_a.place(a.vertices[v]);
    const Separation<3> s = separation(wall, shift, at, a.radius);
    if (!(s.gap <= margin)) continue;
    const std::uint32_t name = point_name(PointKind::vertex_of_first, static_cast<std::int32_t>(v), 0);
    near.push_back({at - (a.radius + 0.5 * s.gap) * s.normal, s.normal, s.gap, name});
  }
  select_corners(near, manifold);
}

}  // namespace moreau::inline geometry
