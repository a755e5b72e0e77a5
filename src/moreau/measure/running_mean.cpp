#include "moreau/measure/running_mean.hpp"

#include <cmath>

namespace moreau::measure {

namespace {

bool is_number(const Cell& cell) { return !std::holds_alternative<std::string>(cell); }
double number(const Cell& cell) {
  return std::holds_alternative<double>(cell) ? std::get<double>(cell) : static_cast<double>(std::get<std::int64_t>(cell));
}

}  // namespace

void RunningMean::add(const Table& table) {
  std::vector<double> values;
  for (const auto& row : table.rows)
    for (const Cell& cell : row)
      if (is_number(cell)) values.push_back(number(cell));
  if (values.size() != mean.size()) {
    count = 0;
    mean.assign(values.size(), 0.0), spread.assign(values.size(), 0.0);
  }
  ++count;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = values[i] - mean[i];
    mean[i] += off / static_cast<double>(count);
    spread[i] += off * (values[i] - mean[i]);
  }
}

Table RunningMean::table(const Table& like) const {
  Table result;
  std::size_t next = 0;
  for (const auto& row : like.rows) {
    RowWriter writer(result);
    std::vector<std::pair<std::string, double>> deviations;
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (!is_number(row[k])) {
        writer.add(like.columns[k], std::get<std::string>(row[k]));
        continue;
      }
      writer.add(like.columns[k], mean[next]);
      deviations.emplace_back(like.columns[k] + "_sd", std::sqrt(spread[next] / static_cast<double>(count)));
      ++next;
    }
    for (const auto& [name, deviation] : deviations) writer.add(name, deviation);
    writer.add("averaged", count);
  }
  return result;
}

}  // namespace moreau::measure
