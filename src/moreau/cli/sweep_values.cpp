#include "moreau/cli/sweep_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "moreau/base/nearest.hpp"
#include "moreau/cli/draw_curves.hpp"
#include "moreau/draw/plot/columns.hpp"
#include "moreau/store/series.hpp"

namespace moreau {

namespace {

const std::vector<std::string> functions{"mean", "last", "max", "min", "sd"};

}  // namespace

ToldValue read_told_value(const std::string& text) {
  const std::size_t equals = text.find('='), open = text.find('(');
  if (equals == std::string::npos || equals == 0 || open == std::string::npos || open < equals || text.back() != ')')
    throw std::runtime_error(fmt::format("--value is '{}'; accepted: NAME=FUNCTION(FORMULA), as peak=max(stress_xy)", text));
  ToldValue value{
      text.substr(0, equals), text.substr(equals + 1, open - equals - 1), text.substr(open + 1, text.size() - open - 2), {}, {}};
  if (std::ranges::count(functions, value.function) == 0)
    throw std::runtime_error(fmt::format("--value is '{}': there is no function '{}'; {}", text, value.function,
                                         suggestion(value.function, functions)));
  return value;
}

void check_told_value(const ToldValue& value) {
  static constexpr std::array others{"run", "status", "warnings", "reason"};
  if (std::ranges::count(columns_of_end, value.name) + std::ranges::count(columns_of_steps, value.name) +
          std::ranges::count(others, value.name) >
      0)
    throw std::runtime_error(fmt::format(
        "--value is '{}', but the table of a sweep has a column '{}' already; accepted: another name", value.text(), value.name));
  for (const std::string& text : value.only) read_condition(text);
  if (!value.data.empty()) return;  // what the file will hold is not known
  Columns columns{"series.csv", {}, {}};
  std::stringstream header(series_header());
  for (std::string name; std::getline(header, name, ',');) columns.name.push_back(name);
  columns.row.emplace_back(columns.name.size(), "1");
  for (const std::string& text : value.only) columns.find(read_condition(text).column);
  evaluate(value.formula, columns);
}

nlohmann::ordered_json told_values_as_json(const std::vector<ToldValue>& values) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const ToldValue& value : values) all.push_back({{"value", value.text()}, {"data", value.data}, {"only", value.only}});
  return all;
}

std::vector<ToldValue> read_told_values(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::vector<ToldValue> values;
  if (!stream) return values;
  try {
    for (const auto& entry : nlohmann::json::parse(stream)) {
      values.push_back(read_told_value(entry.at("value")));
      values.back().data = entry.at("data"), values.back().only = entry.at("only");
    }
  } catch (const std::exception&) {
    throw std::runtime_error(fmt::format("{}: is damaged; remove it and give the values again with --value", file.string()));
  }
  return values;
}

double told_value(const ToldValue& value, const std::filesystem::path& run) {
  std::vector<double> x = evaluate(value.formula, chosen_columns(run, value.data, value.only));
  const std::size_t rows = x.size();
  std::erase_if(x, [](double v) { return !std::isfinite(v); });
  if (x.empty())
    throw std::runtime_error(
        rows == 0 ? fmt::format("{} has no rows for {}", run.string(), value.name)
                  : fmt::format("{}: {} is no finite number in any of its {} rows", run.string(), value.formula, rows));
  if (value.function == "last") return x.back();
  if (value.function == "max") return *std::ranges::max_element(x);
  if (value.function == "min") return *std::ranges::min_element(x);
  double mean = 0.0, square = 0.0;
  for (const double v : x) mean += v / static_cast<double>(x.size());
  if (value.function == "mean") return mean;
  for (const double v : x) square += (v - mean) * (v - mean);
  return x.size() > 1 ? std::sqrt(square / static_cast<double>(x.size() - 1)) : 0.0;
}

}  // namespace moreau
