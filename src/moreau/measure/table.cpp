#include "moreau/measure/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace moreau::measure {

namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result(1, '"');
  for (const char c : text) result.append(c == '"' ? 2 : 1, c);
  result.push_back('"');
  return result;
}

std::string shown(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *count);
  const double value = std::get<double>(cell);
  return std::isnan(value) ? "-" : fmt::format("{:.6g}", value == 0.0 ? 0.0 : value);
}

}  // namespace

std::string to_text(const Table& table, std::size_t most_rows) {
  std::string text;
  if (table.rows.size() == 1) {
    std::size_t width = 0;
    for (const std::string& name : table.columns) width = std::max(width, name.size());
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      text += fmt::format("  {:<{}}  {}\n", table.columns[k], width, shown(table.rows[0][k]));
    return text;
  }
  std::vector<std::size_t> width;
  const std::size_t rows = std::min(most_rows, table.rows.size());
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    width.push_back(table.columns[k].size());
    for (std::size_t r = 0; r < rows; ++r) width[k] = std::max(width[k], shown(table.rows[r][k]).size());
  }
  const auto line = [&](const auto& cell, const auto& left) {
    std::string result;
    for (std::size_t k = 0; k < width.size(); ++k)
      result += left(k) ? fmt::format("  {:<{}}", cell(k), width[k]) : fmt::format("  {:>{}}", cell(k), width[k]);
    result.erase(result.find_last_not_of(' ') + 1);
    return result + "\n";
  };
  const auto is_text = [&](std::size_t k) { return rows > 0 && std::holds_alternative<std::string>(table.rows[0][k]); };
  text += line([&](std::size_t k) { return table.columns[k]; }, is_text);
  for (std::size_t r = 0; r < rows; ++r) text += line([&](std::size_t k) { return shown(table.rows[r][k]); }, is_text);
  if (rows < table.rows.size())
    text += fmt::format("  ... {} more rows; --csv, --json or --hdf5 write them all\n", table.rows.size() - rows);
  return text;
}

std::string csv_header(const Table& table) {
  std::string line;
  for (const std::string& name : table.columns) {
    if (!line.empty()) line += ',';
    line += quoted(name);
  }
  return line;
}

std::string csv_row(const std::vector<Cell>& row) {
  std::string line;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (k > 0) line += ',';
    if (const auto* text = std::get_if<std::string>(&row[k]))
      line += quoted(*text);
    else if (const auto* count = std::get_if<std::int64_t>(&row[k]))
      line += fmt::format("{}", *count);
    else
      line += fmt::format("{}", std::get<double>(row[k]));
  }
  return line;
}

std::string to_csv(const Table& table) {
  std::string text = csv_header(table) + "\n";
  for (const auto& row : table.rows) text += csv_row(row) + "\n";
  return text;
}

}  // namespace moreau::measure
