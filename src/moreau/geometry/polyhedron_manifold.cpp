#include "moreau/geometry/polyhedron_contact.hpp"

namespace moreau::inline geometry {

template <>
void part_manifold<3>(const ConvexPart<3>& a, const Pose<3>& at_a, const ConvexPart<3>& b, const Pose<3>& at_b, double margin,
                      Manifold<3>& manifold) {
  find_polyhedron_contact(a, at_a, b, at_b, margin, manifold);
}

template <>
void wall_manifold<3>(const ConvexPart<3>& a, const Pose<3>& at_a, const WallGeometry<3>& wall, const Vec<3>& shift,
                      double margin, Manifold<3>& manifold) {
  find_polyhedron_wall_contact(a, at_a, wall, shift, margin, manifold);
}

}  // namespace moreau::inline geometry
