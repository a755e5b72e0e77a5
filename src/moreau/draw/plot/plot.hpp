// Line plots: several curves over common axes, to PNG or SVG.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace moreau::inline draw {

struct Curve {
  std::string label = {};  // in the legend; empty: not listed
  std::vector<double> x = {}, y = {};
  bool points = false;  // dots at the values instead of a line through them
};

struct Plot {
  std::string title = {};
  std::string x_label = {}, y_label = {};  // with their units: "time [s]"
  bool log_x = false, log_y = false;
  std::vector<Curve> curves = {};
  int width = 1000;      // pixels, 200 to 8000
  double shape = 0.625;  // height / width, 0.2 to 2
};

// Values that are not finite, or not positive on a logarithmic axis, are left out, and a line through them is interrupted.
// Throws std::runtime_error with one sentence if the file cannot be written, or a curve or the size is not accepted.
void draw_plot(const Plot& plot, const std::filesystem::path& file);

}  // namespace moreau::inline draw
