#include "moreau/measure/kolmogorov_smirnov.hpp"

#include <algorithm>
#include <cmath>

namespace moreau::measure {

double kolmogorov_likelihood(double distance, double count) {
  const double root = std::sqrt(count), x = (root + 0.12 + 0.11 / root) * distance;
  if (x < 0.2) return 1.0;  // 1 - Q(0.2) < 1e-12; the series below converges slowly there
  double sum = 0.0, sign = 1.0;
  for (int j = 1; j <= 100; ++j, sign = -sign) {
    const double term = std::exp(-2.0 * j * j * x * x);
    sum += sign * term;
    if (term < 1e-16) break;
  }
  return std::clamp(2.0 * sum, 0.0, 1.0);
}

KolmogorovSmirnov compare_with_law(std::vector<double> values, const std::function<double(double)>& cumulative) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double f = cumulative(values[i]);
    distance = std::max({distance, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  return {distance, kolmogorov_likelihood(distance, n)};
}

KolmogorovSmirnov compare_samples(std::vector<double> first, std::vector<double> second) {
  if (first.empty() || second.empty()) return {};
  std::sort(first.begin(), first.end()), std::sort(second.begin(), second.end());
  const double n = static_cast<double>(first.size()), m = static_cast<double>(second.size());
  double distance = 0.0;
  for (std::size_t i = 0, j = 0; i < first.size() && j < second.size();) {
    const double x = std::min(first[i], second[j]);
    while (i < first.size() && first[i] <= x) ++i;
    while (j < second.size() && second[j] <= x) ++j;
    distance = std::max(distance, std::abs(static_cast<double>(i) / n - static_cast<double>(j) / m));
  }
  return {distance, kolmogorov_likelihood(distance, n * m / (n + m))};
}

}  // namespace moreau::measure
