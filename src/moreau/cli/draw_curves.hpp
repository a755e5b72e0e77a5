// Curves of any column against any other: `moreau draw DIR --y ... --x ...`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace moreau {

struct CurveOptions {
  std::vector<std::string> data;  // CSV files, relative to the folder of the run; empty: series.csv
  std::vector<std::string> only;  // COLUMN=VALUE
  std::string x = "time";
  std::vector<std::string> y;    // formulas over the columns
  std::string x_label, y_label;  // empty: the formulas
  bool log_x = false, log_y = false, points = false;
};

// Throws std::runtime_error with one sentence on what cannot be read or drawn.
void draw_curves(const std::filesystem::path& run, const CurveOptions& options, const std::string& title, int width,
                 const std::filesystem::path& file);

}  // namespace moreau
