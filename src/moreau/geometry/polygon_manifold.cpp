#include "moreau/geometry/polygon_contact.hpp"

namespace moreau::inline geometry {

template <>
void part_manifold<2>(const ConvexPart<2>& a, const Pose<2>& at_a, const ConvexPart<2>& b, const Pose<2>& at_b, double margin,
                      Manifold<2>& manifold) {
  find_polygon_contact(a, at_a, b, at_b, margin, manifold);
}

template <>
void wall_manifold<2>(const ConvexPart<2>& a, const Pose<2>& at_a, const WallGeometry<2>& wall, const Vec<2>& shift,
                      double margin, Manifold<2>& manifold) {
  find_polygon_wall_contact(a, at_a, wall, shift, margin, manifold);
}

}  // namespace moreau::inline geometry
