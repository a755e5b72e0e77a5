#include "moreau/reproduce/report.hpp"

#include <fmt/format.h>

#include <cmath>

namespace moreau::reproduce {

namespace {

std::string with_spread(const Mean& m, std::size_t count) {
  if (count < 2) return number(m.mean);
  return fmt::format("{} ± {} ({} seeds)", number(m.mean), fmt::format("{:.2g}", m.deviation), count);
}

}  // namespace

std::size_t Report::count(Verdict verdict) const {
  std::size_t n = 0;
  for (const Section& section : sections)
    for (const Row& row : section.rows) n += row.verdict == verdict;
  return n;
}

std::string number(double value) { return fmt::format("{:.6g}", value == 0.0 ? 0.0 : value); }

Mean mean_of(const std::vector<double>& values) {
  Mean m;
  if (values.empty()) return m;
  for (const double v : values) m.mean += v / static_cast<double>(values.size());
  for (const double v : values) m.deviation += (v - m.mean) * (v - m.mean);
  m.deviation = values.size() > 1 ? std::sqrt(m.deviation / static_cast<double>(values.size() - 1)) : 0.0;
  return m;
}

Row compared(std::string quantity, double published, double computed, double tolerance) {
  return compared(std::move(quantity), published, std::vector<double>{computed}, tolerance);
}

Row compared(std::string quantity, double published, const std::vector<double>& computed, double tolerance) {
  const Mean m = mean_of(computed);
  Row row{std::move(quantity), number(published), with_spread(m, computed.size())};
  row.verdict = !computed.empty() && std::abs(m.mean - published) <= tolerance ? Verdict::agrees : Verdict::differs;
  row.rule = fmt::format("within {:.2g}", tolerance);
  row.published_value = published, row.computed_value = m.mean;
  if (computed.size() > 1) row.spread = m.deviation;
  return row;
}

Row stated(std::string quantity, std::string published, std::string computed, bool holds, std::string rule) {
  return {std::move(quantity), std::move(published), std::move(computed), holds ? Verdict::agrees : Verdict::differs,
          std::move(rule)};
}

Row measured(std::string quantity, double computed, std::string published) {
  return measured(std::move(quantity), std::vector<double>{computed}, std::move(published));
}

Row measured(std::string quantity, const std::vector<double>& computed, std::string published) {
  const Mean m = mean_of(computed);
  Row row{std::move(quantity), std::move(published), with_spread(m, computed.size())};
  row.computed_value = m.mean;
  if (computed.size() > 1) row.spread = m.deviation;
  return row;
}

}  // namespace moreau::reproduce
