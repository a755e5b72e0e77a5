// Curves of any column against any other: `moreau draw DIR ... --y ... --x ...`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "moreau/draw/plot/columns.hpp"

namespace moreau {

struct CurveOptions {
  std::vector<std::string> data;  // CSV files, relative to the folder of the run; empty: series.csv
  std::vector<std::string> only;  // COLUMN=VALUE, "time>28"
  std::string x = "time";
  std::vector<std::string> y;       // formulas over the columns
  std::string x_label, y_label;     // empty: the formulas
  std::vector<std::string> labels;  // of the first curves, in their order; the others are named by run and formula
  bool log_x = false, log_y = false, points = false;
};

// Rows of CSV files in the folder of a run, joined by their steps, that fulfil all conditions. Throws std::runtime_error.
Columns chosen_columns(const std::filesystem::path& run, const std::vector<std::string>& data,
                       const std::vector<std::string>& only);

// One curve for every formula and run. Throws std::runtime_error with one sentence on what cannot be read or drawn.
void draw_curves(const std::vector<std::filesystem::path>& runs, const CurveOptions& options, const std::string& title, int width,
                 const std::filesystem::path& file);

}  // namespace moreau
