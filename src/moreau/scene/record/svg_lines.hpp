// Lines of an SVG drawing: its paths, polylines and polygons, curves cut into chords. The y axis of a drawing points downwards,
// that of a scene upwards: y changes its sign. Transformations of groups are not carried out: a drawing that has some is refused.
#pragma once

#include <stdexcept>
#include <string_view>
#include <vector>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline scene {

// What is wrong with the drawing: "has ...".
class SvgError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr int chords_per_curve = 16, chords_per_arc_turn = 64;
inline constexpr std::size_t most_svg_points = 1'000'000;

// Each of at least two points; one that is closed ends where it begins.
std::vector<std::vector<Vec<2>>> svg_lines(std::string_view text);

// Of one path, by its `d`.
std::vector<std::vector<Vec<2>>> path_lines(std::string_view d);

}  // namespace moreau::inline scene
