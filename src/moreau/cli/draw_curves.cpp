#include "moreau/cli/draw_curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "moreau/draw/columns.hpp"
#include "moreau/draw/plot.hpp"

namespace moreau {

namespace {

Columns chosen_columns(const std::filesystem::path& run, const CurveOptions& options) {
  std::vector<std::string> data = options.data;
  if (data.empty()) data.push_back("series.csv");
  std::vector<bool> used(options.only.size(), false);
  Columns all;
  for (std::size_t k = 0; k < data.size(); ++k) {
    const std::filesystem::path path(data[k]);
    Columns columns = read_columns(path.is_absolute() ? path : run / path);
    for (std::size_t i = 0; i < options.only.size(); ++i) {
      const std::string& text = options.only[i];
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || equals == 0)
        throw std::runtime_error(fmt::format("--only is '{}'; accepted: COLUMN=VALUE", text));
      const std::string column = text.substr(0, equals);
      if (data.size() > 1 && std::ranges::find(columns.name, column) == columns.name.end()) continue;
      columns = only(columns, column, text.substr(equals + 1));
      used[i] = true;
    }
    all = k == 0 ? std::move(columns) : joined(all, columns);
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) throw std::runtime_error(fmt::format("--only is '{}', a column that none of the files has", options.only[i]));
  return all;
}

}  // namespace

void draw_curves(const std::filesystem::path& run, const CurveOptions& options, const std::string& title, int width,
                 const std::filesystem::path& file) {
  const Columns columns = chosen_columns(run, options);
  if (columns.row.empty()) throw std::runtime_error(fmt::format("{} has no rows to draw", columns.file));
  const std::vector<double> x = evaluate(options.x, columns);
  Plot plot;
  plot.title = title;
  plot.x_label = options.x_label.empty() ? options.x : options.x_label;
  plot.y_label = options.y_label.empty() ? fmt::format("{}", fmt::join(options.y, ", ")) : options.y_label;
  plot.log_x = options.log_x, plot.log_y = options.log_y;
  plot.width = width;
  for (const std::string& y : options.y) {
    Curve curve{.label = options.y.size() > 1 ? y : "", .points = options.points};
    curve.x = x, curve.y = evaluate(y, columns);
    plot.curves.push_back(std::move(curve));
  }
  draw_plot(plot, file);
}

}  // namespace moreau
