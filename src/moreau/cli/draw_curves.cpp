#include "moreau/cli/draw_curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
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

namespace {

// A line through the rows of one instant would show jumps from one body to the next as if they were noise.
void check_parts(const Columns& all, const std::vector<NamedColumns>& parts, const CurveOptions& options) {
  if (parts.size() > 20)
    throw std::runtime_error(
        fmt::format("{} has rows of {} curves ({}; {}; ...); accepted: at most 20, chosen with --only "
                    "COLUMN=VALUE, as --only \"time>28\"",
                    all.file, parts.size(), parts[0].name, parts[1].name));
  if (options.points || (options.x != "time" && options.x != "step")) return;
  for (const NamedColumns& part : parts)
    if (const std::string step = repeated_step(part.columns); !step.empty())
      throw std::runtime_error(fmt::format("{} has several rows of step {}, through which no curve can go; accepted: one of each, "
                                           "chosen with --only COLUMN=VALUE, or --points",
                                           all.file, step));
}

// A run of a sweep is called by what was varied, "law.friction = 0.3", others by their folder.
std::string name_of_run(const std::filesystem::path& given) {
  const std::filesystem::path run = std::filesystem::absolute(given.has_filename() ? given : given.parent_path());
  const std::string folder = run.filename().string();
  const std::filesystem::path table = run.parent_path().parent_path() / "table.csv";
  if (run.parent_path().filename() != "runs" || !std::filesystem::is_regular_file(table)) return folder;
  try {
    const Columns rows = read_columns(table);
    const std::size_t status = rows.find("status");
    for (const auto& row : rows.row) {
      if (row[rows.find("run")] != folder) continue;
      std::vector<std::string> words;
      for (std::size_t k = 1; k < status; ++k)
        if (std::ranges::any_of(rows.row, [&](const auto& other) { return other[k] != row[k]; }))
          words.push_back(fmt::format("{} = {}", rows.name[k], row[k]));
      if (!words.empty()) return fmt::format("{}", fmt::join(words, ", "));
    }
  } catch (const std::runtime_error&) {  // a table that is being written: the folder is a name too
  }
  return folder;
}

// An axis without a value would be an empty picture.
void check_drawn(const Plot& plot, const CurveOptions& options, const std::string& file) {
  const auto stands = [](double value, bool logarithmic) { return std::isfinite(value) && (!logarithmic || value > 0.0); };
  for (const Curve& curve : plot.curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      if (stands(curve.x[i], plot.log_x) && stands(curve.y[i], plot.log_y)) return;
  throw std::runtime_error(fmt::format("{}: no row has a value of --x {} and of --y {} that could be drawn; accepted: formulas of columns "
                                       "of numbers, finite{}",
                                       file, options.x, fmt::join(options.y, ", --y "),
                                       plot.log_x || plot.log_y ? " and on a logarithmic axis above zero" : ""));
}

}  // namespace

void draw_curves(const std::vector<std::filesystem::path>& runs, const CurveOptions& options, const std::string& title, int width,
                 const std::filesystem::path& file) {
  Plot plot;
  plot.title = title;
  plot.x_label = options.x_label.empty() ? options.x : options.x_label;
  plot.y_label = options.y_label.empty() ? fmt::format("{}", fmt::join(options.y, ", ")) : options.y_label;
  plot.log_x = options.log_x, plot.log_y = options.log_y;
  plot.width = width;
  std::string from;
  for (const std::filesystem::path& run : runs) {
    const Columns columns = chosen_columns(run, options.data, options.only);
    from = columns.file;
    if (columns.row.empty()) throw std::runtime_error(fmt::format("{} has no rows to draw", columns.file));
    std::vector<NamedColumns> parts = by_name(columns);
    if (!options.points && options.x != "time" && options.x != "step") parts = by_instant(parts, options.x, options.y);
    check_parts(columns, parts, options);
    for (const NamedColumns& part : parts) {
      const std::vector<double> x = evaluate(options.x, part.columns);
      for (const std::string& y : options.y) {
        std::vector<std::string> words;
        if (runs.size() > 1) words.push_back(name_of_run(run));
        if (!part.name.empty()) words.push_back(part.name);
        if (options.y.size() > 1) words.push_back(y);
        std::string label = fmt::format("{}", fmt::join(words, ": "));
        if (plot.curves.size() < options.labels.size()) label = options.labels[plot.curves.size()];
        Curve curve{.label = label, .points = options.points};
        curve.x = x, curve.y = evaluate(y, part.columns);
        plot.curves.push_back(std::move(curve));
      }
    }
  }
  if (options.labels.size() > plot.curves.size())
    throw std::runtime_error(
        fmt::format("--label is given {} times; there are {} curves", options.labels.size(), plot.curves.size()));
  check_drawn(plot, options, from);
  draw_plot(plot, file);
}

}  // namespace moreau
