// A rose of directions: how many contacts point each way, as sectors about a centre whose length is the density, to PNG or SVG.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace moreau::inline draw {

struct RoseSector {
  double from = 0.0, to = 0.0;  // [rad] counter-clockwise from the x axis
  double density = 0.0;         // length of the sector
};

struct RoseCurve {
  std::string label = {};
  std::vector<double> angle = {}, density = {};
};

struct Rose {
  std::string title = {}, note = {};
  std::vector<RoseSector> sectors = {};
  std::vector<RoseCurve> curves = {};
  double even = 1.0;  // density of an even distribution, drawn as a circle; 0: none
  int width = 800;    // pixels, 200 to 8000
};

// Throws std::runtime_error with one sentence if the file cannot be written, or the size or a number is not accepted.
void draw_rose(const Rose& rose, const std::filesystem::path& file);

}  // namespace moreau::inline draw
