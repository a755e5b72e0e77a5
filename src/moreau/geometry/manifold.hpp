// Where two rigid shapes touch, or nearly: a few points with a common normal (the tangent plane of the contact), a gap each, and
// a name that stays the same from step to step while the same features (corners, edges, faces) face each other.
#pragma once

#include <cstdint>

#include "moreau/geometry/pose.hpp"
#include "moreau/geometry/shape.hpp"
#include "moreau/geometry/wall.hpp"

namespace moreau::inline geometry {

template <int D>
struct ManifoldPoint {
  Vec<D> point;           // half-way between the two surfaces
  Vec<D> normal;          // unit, towards the first body
  double gap;             // along the normal; negative on overlap
  std::uint32_t feature;  // name of the pair of features, unique within the manifold
};

template <int D>
struct Manifold {
  static constexpr int capacity = D == 2 ? 2 : 8;
  ManifoldPoint<D> point[capacity];
  int count = 0;
};

// The contact points of two convex parts with gap <= margin, at most `capacity` of them, in an order that depends on the features
// alone. When the parts are apart the least gap is their distance; when they overlap it is minus the least translation that parts
// them. Swapping the parts swaps the sign of the normal and nothing else (up to rounding).
template <int D>
void part_manifold(const ConvexPart<D>& a, const Pose<D>& at_a, const ConvexPart<D>& b, const Pose<D>& at_b, double margin,
                   Manifold<D>& manifold);

// The same against a wall (plane, or inside of a cylinder or circle) displaced by `shift`.
template <int D>
void wall_manifold(const ConvexPart<D>& a, const Pose<D>& at_a, const WallGeometry<D>& wall, const Vec<D>& shift, double margin,
                   Manifold<D>& manifold);

}  // namespace moreau::inline geometry
