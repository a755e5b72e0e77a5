// Small scenes of blocks built by hand, on top of the balls of sample.hpp.
#pragma once

#include <gtest/gtest.h>

#include "moreau/geometry/mass_properties.hpp"
#include "physics/sample.hpp"

namespace moreau::sample {

// Corners of a box centred at the origin.
template <int D>
std::vector<Vec<D>> box_corners(const Vec<D>& sides) {
  std::vector<Vec<D>> corners;
  for (int k = 0; k < (1 << D); ++k) {
    Vec<D> c;
    for (int d = 0; d < D; ++d) c[d] = ((k >> d) & 1 ? 0.5 : -0.5) * sides[d];
    corners.push_back(c);
  }
  return corners;
}

template <int D>
PlacedShape<D> hull_shape(const std::vector<Vec<D>>& vertices) {
  const HullResult<D> hull = convex_hull<D>(vertices);
  EXPECT_EQ(hull.fault, "");
  return make_shape<D>({hull.part});
}

// Adds a block and returns its number.
template <int D>
std::size_t add_block(Sample<D>& s, const PlacedShape<D>& placed, const Vec<D>& position, Rotation<D> orientation = {},
                      double density = 1.0, BodyKind kind = BodyKind::free) {
  s.bodies.shapes.push_back(placed.shape);
  auto body = homogeneous_block<D>(placed.shape, static_cast<std::int32_t>(s.bodies.shapes.size()) - 1, position, orientation,
                                   density, grains);
  body.kind = kind;
  s.bodies.append(body);
  return s.bodies.size() - 1;
}

template <int D>
std::size_t add_box(Sample<D>& s, const Vec<D>& sides, const Vec<D>& position, Rotation<D> orientation = {}, double density = 1.0,
                    BodyKind kind = BodyKind::free) {
  return add_block<D>(s, hull_shape<D>(box_corners<D>(sides)), position, orientation, density, kind);
}

// A stone given by its corners, where they are.
template <int D>
std::size_t add_stone(Sample<D>& s, const std::vector<Vec<D>>& corners, double density = 1.0, BodyKind kind = BodyKind::free) {
  const PlacedShape<D> placed = hull_shape<D>(corners);
  return add_block<D>(s, placed, placed.centre, placed.orientation, density, kind);
}

}  // namespace moreau::sample
