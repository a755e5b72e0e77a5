// A ball that holds a set of points, close to the least one (Badoiu and Clarkson 2003: walk towards the farthest point by 1/2,
// 1/3, 1/4 ... of the way; after k steps the radius is within about 1/sqrt(k), in practice 1/k, of the least).
#pragma once

#include <algorithm>
#include <vector>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline geometry {

template <int D>
struct EnclosingBall {
  Vec<D> centre{};
  double radius = 0.0;
};

template <int D>
EnclosingBall<D> enclosing_ball(const std::vector<Vec<D>>& points) {
  EnclosingBall<D> ball;
  if (points.empty()) return ball;
  Vec<D> low = points[0], high = points[0];
  for (const Vec<D>& x : points)
    for (int d = 0; d < D; ++d) low[d] = std::min(low[d], x[d]), high[d] = std::max(high[d], x[d]);
  ball.centre = 0.5 * (low + high);
  const auto farthest = [&](const Vec<D>& centre) {
    return *std::max_element(points.begin(), points.end(), [&](const Vec<D>& x, const Vec<D>& y) {
      return dot(x - centre, x - centre) < dot(y - centre, y - centre);
    });
  };
  ball.radius = norm(farthest(ball.centre) - ball.centre);
  Vec<D> centre = ball.centre;
  for (int step = 2; step < 100; ++step) {
    const Vec<D> far = farthest(centre);
    centre += (1.0 / step) * (far - centre);
    const double radius = norm(farthest(centre) - centre);
    if (radius < ball.radius) ball = {centre, radius};
  }
  return ball;
}

}  // namespace moreau::inline geometry
