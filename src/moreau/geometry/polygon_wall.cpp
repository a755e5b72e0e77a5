// Contact points of rounded convex polygons with walls: the two corners nearest to the wall.
#include <utility>

#include "moreau/geometry/manifold.hpp"

namespace moreau::inline geometry {

// The inside of a circle curves towards the part, a plane not at all: either way corners touch first.
template <>
void wall_manifold<2>(const ConvexPart<2>& a, const Pose<2>& at_a, const WallGeometry<2>& wall, const Vec<2>& shift,
                      double margin, Manifold<2>& manifold) {
  manifold.count = 0;
  const Separation<2> whole = separation(wall, shift, at_a.place(a.centre), a.reach);
  if (!(whole.gap <= margin)) return;
  double gap[2] = {HUGE_VAL, HUGE_VAL};  // of the two lowest corners
  int corner[2] = {-1, -1};
  for (int i = 0; i < static_cast<int>(a.vertices.size()); ++i) {
    const double g = separation(wall, shift, at_a.place(a.vertices[static_cast<std::size_t>(i)]), a.radius).gap;
    if (!(g <= margin) || g >= gap[1]) continue;
    gap[1] = g, corner[1] = i;
    if (gap[1] < gap[0]) std::swap(gap[0], gap[1]), std::swap(corner[0], corner[1]);
  }
  if (corner[1] >= 0 && corner[1] < corner[0]) std::swap(corner[0], corner[1]);
  for (const int i : corner) {
    if (i < 0) continue;
    const Vec<2> x = at_a.place(a.vertices[static_cast<std::size_t>(i)]);
    const Separation<2> s = separation(wall, shift, x, a.radius);
    manifold.point[manifold.count++] = {x - (a.radius + 0.5 * s.gap) * s.normal, s.normal, s.gap,
                                        2 * static_cast<std::uint32_t>(i)};
  }
}

}  // namespace moreau::inline geometry
