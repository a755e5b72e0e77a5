// Arrows of the bodies in a picture: displacements since another frame, velocities.
#pragma once

#include <string>
#include <vector>

#include "moreau/draw/picture/camera.hpp"

namespace moreau::inline draw {

// What is to be drawn, one vector per body; empty: nothing.
struct BodyVectors {
  std::string name;  // as written in the legend
  std::vector<Vec<3>> vector = {};
  std::vector<double> crack = {};  // the widest crack at each body, for the colour `joints`
};

struct Arrows {
  std::string name, unit = {};                // unit: empty, not named
  std::vector<std::pair<Point, Point>> ends;  // tail at the centre of the body
  double pixels_per_unit = 0.0;               // at the depth that the camera looks at
  double typical = 0.0;                       // length that most vectors do not exceed [unit of the vectors]
  double width = 1.0;                         // of the shafts [pixels]
};

// Arrows of the bodies marked in `shown`, at `centre`: 95 of 100 are at most one and a half times the `diameter` [pixels] long,
// unless the length of that size is given as `typical` (the same for several pictures).
Arrows arrows_of(const BodyVectors& vectors, const std::vector<Vec<3>>& centre, const Camera& camera,
                 const std::vector<char>& shown, double diameter, double typical = 0.0);

// The length that 95 of 100 of the vectors marked do not exceed, and at least a quarter of the longest.
double typical_length(const BodyVectors& vectors, const std::vector<char>& shown);

// Diameters that a vector of the typical length is drawn long.
inline constexpr double arrow_diameters = 1.5;

void draw_arrows(Canvas& canvas, const Arrows& arrows);
void draw_arrow(Canvas& canvas, Point from, Point to, double width, Colour colour);

// An arrow of round length with its value, which says what the lengths mean.
void draw_arrow_key(Canvas& canvas, const Arrows& arrows, const Rectangle& area, double letter);

inline constexpr Colour arrow_colour{0.05, 0.05, 0.08};

}  // namespace moreau::inline draw
