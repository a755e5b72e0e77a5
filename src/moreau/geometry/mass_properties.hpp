// Volume, centre and inertia of shapes, exact for polygons, polyhedra, discs, balls and capsules.
#pragma once

#include <span>
#include <string>

#include "moreau/geometry/shape.hpp"

namespace moreau::inline geometry {

// A shape and where the body that has it must be placed so that it covers the parts as they were given.
template <int D>
struct PlacedShape {
  Shape<D> shape;
  Vec<D> centre{};          // of mass, in the frame in which the parts were given
  Rotation<D> orientation;  // of the principal axes (in the plane: none)
  std::string fault;  // not empty: what is wrong with the input, as a clause ("its volume is zero: all vertices lie in a plane")
};

// The convex hull of these points, rounded by `radius`. Interior, duplicate and unordered points are fine; `fault` says why there
// is no such part (fewer than 3 or 4 points, all in a line or plane, not finite, extent below 1e-9 of the distance to the
// origin).
template <int D>
struct HullResult {
  ConvexPart<D> part;
  std::string fault;
};
template <int D>
HullResult<D> convex_hull(std::span<const Vec<D>> points, double radius = 0.0);

template <int D>
ConvexPart<D> ball_part(const Vec<D>& centre, double radius);
template <int D>
ConvexPart<D> capsule_part(const Vec<D>& end, const Vec<D>& other_end, double radius);

// From parts to a shape: centre of mass to the origin, principal axes to the coordinate axes. Parts may overlap: the union counts
// once.
template <int D>
PlacedShape<D> make_shape(std::vector<ConvexPart<D>> parts);

}  // namespace moreau::inline geometry
