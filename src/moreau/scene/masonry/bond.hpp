// Bonds: where the bricks of a wall lie in its plane, lengths from its lower left corner.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace moreau::inline scene {

struct Opening {
  double at = 0.0, width = 0.0;  // left side and width
  std::int64_t sill = 0;         // courses below it
  std::int64_t courses = 1;      // courses it interrupts
  double bearing = 0.0;          // length of the lintel on each side
};

struct Bond {
  double length = 0.0;  // of the wall
  double brick_length = 0.0, brick_height = 0.0;
  double joint = 0.0;  // gap between bricks, upright and level
  std::int64_t courses = 1;
  std::vector<Opening> openings;
  std::int64_t header_every = 0;  // every so many courses one of headers, which go through the wall; 0: none, 1: all
  double header_length = 0.0;     // of a header along the wall
  bool flemish = false;           // headers and stretchers in turn within each course, a header over the middle of a stretcher

  bool is_header_course(std::int64_t course) const { return header_every > 0 && course % header_every == header_every - 1; }
  double length_in(std::int64_t course) const { return is_header_course(course) ? header_length : brick_length; }
};

// From `left` to `right` in one course.
struct BrickPlace {
  std::int64_t course = 0;
  double left = 0.0, right = 0.0;
  bool is_lintel = false;
  bool is_header = false;  // goes through the wall
};

// Every other course begins with half a brick, so that each joint stands over the middle of a brick. At the ends and at openings
// bricks are cut; a piece shorter than a quarter of a brick is joined to its neighbour, which grows by it. Above an opening that
// does not reach the top, one lintel spans it. Course by course from below, from left to right. Needs openings without faults.
std::vector<BrickPlace> running_bond(const Bond& bond);

// What is wrong with opening number `which` (it leaves the wall, or meets another opening or lintel); empty if nothing is.
std::string opening_fault(const Bond& bond, std::size_t which);

}  // namespace moreau::inline scene
