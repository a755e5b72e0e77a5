// Angle of the free surface of a heap about a vertical axis, and how well it is known.
//
// The surface is made of the highest grain tops in cells two mean diameters wide, in sectors of equal angle (3-D), or one
// diameter wide on the two flanks (2-D). On each, a straight line is fitted to the tops whose height is between 0.2 and 0.8 of
// that of the heap: the apex is rounded and the foot runs out. The angle is the mean over the sectors; its uncertainty the
// standard error of that mean, or the error of the fits where there are only two flanks, whichever is larger.
#pragma once

#include "moreau/measure/packing/sample.hpp"

namespace moreau::measure {

struct HeapSlope {
  double angle = 0.0, uncertainty = 0.0;  // [rad] below the horizontal, outwards
  double height = 0.0;                    // of the highest top above the lowest point of the heap
  double radius = 0.0;                    // of the foot: outermost grain that touches something
  std::vector<double> sector_angle;       // of the sectors that have a flank of three tops or more
  std::size_t tops = 0;                   // points fitted
};

template <int D>
HeapSlope heap_slope(const Sample<D>& sample, const Vec<D>& centre, int sectors = 12);

}  // namespace moreau::measure
