// The boundary of the convex hull of points with integer coordinates, as triangles. All decisions are taken by the sign of an
// exact determinant, so that the result is a closed, consistently oriented surface whatever the points: coplanar, collinear,
// duplicate.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace moreau::inline geometry {

using GridPoint = std::array<std::int64_t, 3>;  // each coordinate in [0, grid_extent]
inline constexpr std::int64_t grid_extent = std::int64_t{1} << 40;

struct HullTriangle {
  std::array<std::int32_t, 3> vertices;    // counter-clockwise seen from outside
  std::array<std::int32_t, 3> neighbours;  // across the side from vertex i to vertex i + 1
};

// Positive when d sees a, b, c counter-clockwise; exact. The determinant is below 6 * 2^120 and fits 128 bits.
int side_of_plane(const GridPoint& a, const GridPoint& b, const GridPoint& c, const GridPoint& d);

// Incremental hull; each point costs the walk from the one before it over the surface. `start` are four points that are not in a plane. Coplanar neighbours are not merged;
// points on the surface are left out when they come late, so that a triangulated face may or may not use them.
std::vector<HullTriangle> hull_triangles(const std::vector<GridPoint>& points, std::array<std::int32_t, 4> start);

}  // namespace moreau::inline geometry
