// Strips about an axis with the force per unit area across each, as an arrow: the figures of stress in a heap.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace moreau::inline draw {

struct StripArrow {
  double r1 = 0.0, z1 = 0.0, r2 = 0.0, z2 = 0.0;  // the segment in the half-plane through the axis
  double radial = 0.0, vertical = 0.0;            // force per unit area, drawn from its middle
};

struct StripFigure {
  std::string title = {};
  std::string note = {};  // under the title
  std::vector<StripArrow> strips = {};
  std::vector<double> grain_r = {}, grain_z = {}, grain_radius = {};  // drawn pale behind the strips
  int width = 1000;                                                   // pixels
};

// Both axes have the same scale. Throws std::runtime_error if there is no strip or the file cannot be written.
void draw_strips(const StripFigure& figure, const std::filesystem::path& file);

}  // namespace moreau::inline draw
