// A ball that holds a convex part in space: centre and reach, for quick rejection.
#pragma once

#include <algorithm>

#include "moreau/geometry/shape.hpp"

namespace moreau {

inline double reach_from(const ConvexPart<3>& part, const Vec<3>& centre) {
  double furthest = 0.0;
  for (const Vec<3>& x : part.vertices) furthest = std::max(furthest, norm(x - centre));
  return furthest + part.radius;
}

// Near the smallest: from the middle of the bounding box, or from the mean vertex, steps towards the farthest vertex that become
// shorter (Badoiu and Clarkson, whose k-th ball is within 1/sqrt(k) of the smallest).
inline void bound(ConvexPart<3>& part) {
  Vec<3> low = part.vertices[0], high = part.vertices[0];
  for (const Vec<3>& x : part.vertices)
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], x[d]), high[d] = std::max(high[d], x[d]);
  Vec<3> centre = low + 0.5 * (high - low);
  part.centre = centre;
  part.reach = reach_from(part, centre);
  for (int k = 2; k < 100; ++k) {
    Vec<3> furthest = part.vertices[0];
    for (const Vec<3>& x : part.vertices)
      if (norm(x - centre) > norm(furthest - centre)) furthest = x;
    centre += (1.0 / k) * (furthest - centre);
    const double reach = reach_from(part, centre);
    if (reach < part.reach) part.centre = centre, part.reach = reach;
  }
}

}  // namespace moreau
