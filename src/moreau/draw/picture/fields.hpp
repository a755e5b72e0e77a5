// Scalar fields over the bodies of a frame, and the colours they give.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "moreau/draw/canvas/colour_map.hpp"
#include "moreau/dynamics/frame.hpp"

namespace moreau::inline draw {

struct Field {
  std::string name;              // as written in the legend
  std::string unit = {};         // in lengths L, masses M and times T of the scene; written after the name
  std::vector<double> value;     // one per body; empty when nothing is shown
  double low = 0.0, high = 0.0;  // values at the two ends of the colour map
  bool from_zero = false;        // the scale starts at zero rather than at the smallest value
  bool heavy_tail = false;       // the scale ends at the 99th percentile, so that a few extreme grains do not darken all others
  double cap = HUGE_VAL;         // the scale ends here at the latest
  bool whole = false;            // values are counts
  bool categories = false;       // values are indices without order
  bool exceeded = false;         // some value lies above `high`
  bool symmetric = false;        // values of both signs: zero is in the middle of the scale
  std::string all_zero = {};     // written instead of a scale where all values are zero; empty: the scale
  std::vector<std::string> labels = {};  // of categories, by their indices; empty: the indices themselves
};

// speed     |velocity|
// spin      angular velocity: positive anticlockwise in the plane, its magnitude in space
// radius    of a block, that of the ball about its centre that holds it
// birth     time at which the body appeared
// pressure  sum over its contacts of the normal force, divided by the perimeter (2-D) or surface (3-D) of the grain; for contacts
//           on the rim this is trace(stress) / D of the grain, from sum(force x branch) / volume, which is taken for blocks
// contacts  number of contacts that transmit a force
// material  index of the material
// none
// Throws std::runtime_error with the list above on any other name.
template <int D>
Field body_field(const Frame<D>& frame, const std::string& name);

// Fits the two ends of the colour scale to the bodies marked in `shown`.
void fit_range(Field& field, const std::vector<char>& shown);

// Place of a value on the colour map, 0 to 1.
double place_on_scale(const Field& field, double value);

// Colour of a free body.
Colour body_colour(const Field& field, std::size_t body);

}  // namespace moreau::inline draw
