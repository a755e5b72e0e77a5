#include "moreau/cli/draw_curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "moreau/draw/plot/plot.hpp"

namespace moreau {

Columns chosen_columns(const std::filesystem::path& run, const std::vector<std::string>& given,
                       const std::vector<std::string>& only_given) {
  std::vector<std::string> data = given;
  if (data.empty()) data.push_back("series.csv");
  std::vector<Condition> conditions;
  for (const std::string& text : only_given) conditions.push_back(read_condition(text));
  std::vector<bool> used(conditions.size(), false);
  Columns all;
  for (std::size_t k = 0; k < data.size(); ++k) {
    const std::filesystem::path path(data[k]);
    Columns columns = read_columns(path.is_absolute() ? path : run / path);
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      if (data.size() > 1 && std::ranges::find(columns.name, conditions[i].column) == columns.name.end()) continue;
      columns = only(columns, conditions[i]);
      used[i] = true;
    }
    all = k == 0 ? std::move(columns) : joined(all, columns);
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) throw std::runtime_error(fmt::format("--only is '{}', a column that none of the files has", only_given[i]));
  return all;
}

void draw_curves(const std::vector<std::filesystem::path>& runs, const CurveOptions& options, const std::string& title, int width,
                 const std::filesystem::path& file) {
  Plot plot;
  plot.title = title;
  plot.x_label = options.x_label.empty() ? options.x : options.x_label;
  plot.y_label = options.y_label.empty() ? fmt::format("{}", fmt::join(options.y, ", ")) : options.y_label;
  plot.log_x = options.log_x, plot.log_y = options.log_y;
  plot.width = width;
  for (const std::filesystem::path& run : runs) {
    const Columns columns = chosen_columns(run, options.data, options.only);
    if (columns.row.empty()) throw std::runtime_error(fmt::format("{} has no rows to draw", columns.file));
    const std::vector<double> x = evaluate(options.x, columns);
    for (const std::string& y : options.y) {
      std::string label = options.y.size() > 1 ? y : "";
      if (runs.size() > 1)
        label = (run.has_filename() ? run : run.parent_path()).filename().string() + (label.empty() ? "" : ": ") + label;
      if (plot.curves.size() < options.labels.size()) label = options.labels[plot.curves.size()];
      Curve curve{.label = label, .points = options.points};
      curve.x = x, curve.y = evaluate(y, columns);
      plot.curves.push_back(std::move(curve));
    }
  }
  if (options.labels.size() > plot.curves.size())
    throw std::runtime_error(
        fmt::format("--label is given {} times; there are {} curves", options.labels.size(), plot.curves.size()));
  draw_plot(plot, file);
}

}  // namespace moreau
