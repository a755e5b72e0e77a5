// Distance of the cores of two convex parts in space, by the algorithm of Gilbert, Johnson and Keerthi (1988): the point of the
// Minkowski difference nearest to the origin, over simplices of at most four of its vertices.
#pragma once

#include "moreau/geometry/polyhedron_relative.hpp"

namespace moreau::inline geometry {

struct CoreDistance {
  double distance;   // zero when the cores overlap
  Vec<3> direction;  // unit, from the first to the second; meaningless when the distance is zero
  Vec<3> on_first;   // nearest points, in the frame of the first; of overlapping cores a point of both
  Vec<3> on_second;
  bool beyond = false;  // the distance is larger than the limit: nothing else is set
};

// Finite: every step takes a new simplex that is nearer. The distance is exact up to rounding (some 1e-15 of the size of the
// parts); where features tie within 1e-7 of the size, a step may be too small to be seen, and the distance 1e-8 too large.
CoreDistance core_distance(const ConvexPart<3>& a, const ConvexPart<3>& b, const RelativePose& b_to_a, Vec<3> direction,
                           double limit);

}  // namespace moreau::inline geometry
