// An outline with a corner that turns inwards: what was meant is not the convex hull that the points give.
#pragma once

#include <optional>
#include <vector>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline scene {

struct ConcaveOutline {
  double area = 0.0;       // of the polygon with these corners, in their order
  double hull_area = 0.0;  // of their convex hull
};

// Nothing if the points, taken in their order, go round a convex polygon, or round none (sides that cross): a cloud of points
// whose hull is meant.
std::optional<ConcaveOutline> concave_outline(const std::vector<Vec<2>>& points);

}  // namespace moreau::inline scene
