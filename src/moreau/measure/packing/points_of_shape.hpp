// Points that stand for equal volumes of a shape, in its own frame: of the middles of the cells of a box about it (40 along each side in
// the plane, 16 in space) those within it.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "moreau/geometry/shape.hpp"

namespace moreau::measure {

// Distance from x to the planes of the sides of a convex part, the largest, outwards: at most its rounding radius inside. Corners of a
// rounded part are taken for sharp ones.
template <int D>
double beyond_sides(const ConvexPart<D>& part, const Vec<D>& x) {
  const std::vector<Vec<D>>& v = part.vertices;
  if (v.size() <= 2) {  // a ball, a capsule
    const Vec<D> along = v.back() - v.front(), from = x - v.front();
    const double length = dot(along, along);
    return norm(from - (length > 0.0 ? std::clamp(dot(from, along) / length, 0.0, 1.0) : 0.0) * along);
  }
  double most = -std::numeric_limits<double>::infinity();
  if constexpr (D == 2) {
    for (std::size_t k = 0; k < v.size(); ++k) {
      const Vec<2> side = v[(k + 1) % v.size()] - v[k], from = x - v[k];
      most = std::max(most, (side[1] * from[0] - side[0] * from[1]) / norm(side));
    }
  } else {
    for (const PolyhedronFace& face : part.topology.faces) most = std::max(most, dot(face.normal, x) - face.offset);
  }
  return most;
}

template <int D>
std::vector<Vec<D>> points_of_shape(const Shape<D>& shape) {
  constexpr int n = D == 2 ? 40 : 16;
  Vec<D> low, high;
  for (int d = 0; d < D; ++d) low[d] = std::numeric_limits<double>::infinity(), high[d] = -low[d];
  for (const ConvexPart<D>& part : shape.parts)
    for (const Vec<D>& v : part.vertices)
      for (int d = 0; d < D; ++d) low[d] = std::min(low[d], v[d] - part.radius), high[d] = std::max(high[d], v[d] + part.radius);
  std::vector<Vec<D>> points;
  const int cells = D == 2 ? n * n : n * n * n;
  for (int cell = 0; cell < cells; ++cell) {
    Vec<D> x;
    for (int d = 0, rest = cell; d < D; ++d, rest /= n) x[d] = low[d] + (high[d] - low[d]) * (rest % n + 0.5) / n;
    if (std::ranges::any_of(shape.parts, [&](const ConvexPart<D>& part) { return beyond_sides(part, x) <= part.radius; }))
      points.push_back(x);
  }
  if (points.empty()) points.push_back({});  // thinner than the cells across the box
  return points;
}

}  // namespace moreau::measure
