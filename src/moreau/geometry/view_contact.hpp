// Contact points of parts that are seen through plain rows (manifold.hpp), on graphics cards.
#pragma once

#include "moreau/geometry/polygon_contact.hpp"
#include "moreau/geometry/polyhedron_contact.hpp"

namespace moreau::inline geometry {

template <int D>
MOREAU_CALLED void part_manifold(const PartView<D>& a, const Pose<D>& at_a, const PartView<D>& b, const Pose<D>& at_b,
                                 double margin, Manifold<D>& manifold) {
  if constexpr (D == 2)
    find_polygon_contact(a, at_a, b, at_b, margin, manifold);
  else
    find_polyhedron_contact(a, at_a, b, at_b, margin, manifold);
}

template <int D, class Wall>
MOREAU_CALLED void wall_manifold(const PartView<D>& a, const Pose<D>& at_a, const Wall& wall, const Vec<D>& shift, double margin,
                                 Manifold<D>& manifold) {
  if constexpr (D == 2)
    find_polygon_wall_contact(a, at_a, wall, shift, margin, manifold);
  else
    find_polyhedron_wall_contact(a, at_a, wall, shift, margin, manifold);
}

}  // namespace moreau::inline geometry
