#include "moreau/measure/contacts/force_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/SpecialFunctions>

namespace moreau::measure {

namespace {

// Shape k of the gamma law of y = x^d: ln k - psi(k) = ln <y> - <ln y>. The left side falls from infinity to 0 with k; bisection
// on ln k.
double gamma_shape(double gap) {
  double low = std::log(1e-6), high = std::log(1e9);
  for (int i = 0; i < 200 && high - low > 1e-14; ++i) {
    const double middle = 0.5 * (low + high), k = std::exp(middle);
    (std::log(k) - Eigen::numext::digamma(k) > gap ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

struct Profile {
  PowerExponential law;
  double log_likelihood;  // per value
};

// The best b and c for a given d.
Profile best_for(const std::vector<double>& logs, double d) {
  const double n = static_cast<double>(logs.size()), most = *std::max_element(logs.begin(), logs.end());
  double mean_log = 0.0, mean_power = 0.0;  // of ln x; of (x / x_max)^d
  for (const double l : logs) mean_log += l / n, mean_power += std::exp(d * (l - most)) / n;
  const double log_mean = std::log(mean_power) + d * most;
  const double k = gamma_shape(std::max(log_mean - d * mean_log, 1e-12)), log_c = std::log(k) - log_mean;
  return {{k * d - 1.0, std::exp(log_c), d}, std::log(d) + k * log_c - Eigen::numext::lgamma(k) + (k * d - 1.0) * mean_log - k};
}

}  // namespace

ForceStatistics force_statistics(const std::vector<double>& forces) {
  ForceStatistics s;
  s.count = forces.size();
  if (forces.empty()) return s;
  const double n = static_cast<double>(forces.size());
  for (const double f : forces) s.mean += f / n, s.largest = std::max(s.largest, f);
  for (const double f : forces) s.deviation += (f - s.mean) * (f - s.mean) / n, s.share_above_mean += f > s.mean ? 1.0 / n : 0.0;
  s.deviation = std::sqrt(s.deviation);
  return s;
}

std::vector<double> divided_by_mean(std::vector<double> forces) {
  std::erase_if(forces, [](double f) { return !(f > 0.0); });
  const double mean = force_statistics(forces).mean;
  for (double& f : forces) f /= mean;
  return forces;
}

double PowerExponential::density(double x) const {
  if (!(x > 0.0)) return 0.0;
  const double k = (b + 1.0) / d;
  return std::exp(std::log(d) + k * std::log(c) - Eigen::numext::lgamma(k) + b * std::log(x) - c * std::pow(x, d));
}

double PowerExponential::cumulative(double x) const {
  return x > 0.0 ? Eigen::numext::igamma((b + 1.0) / d, c * std::pow(x, d)) : 0.0;
}

PowerExponential fit_power_exponential(const std::vector<double>& x) {
  std::vector<double> logs;
  for (const double v : x)
    if (v > 0.0) logs.push_back(std::log(v));
  if (logs.size() < 3) return {};
  // The likelihood has one maximum in d; a coarse scan brackets it, golden section finds it.
  double best = 0.2;
  for (double d = 0.2; d < 12.0; d *= 1.25)
    if (best_for(logs, d).log_likelihood > best_for(logs, best).log_likelihood) best = d;
  double low = std::log(best / 1.25), high = std::log(best * 1.25);
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  const auto value = [&](double log_d) { return best_for(logs, std::exp(log_d)).log_likelihood; };
  double p = high - golden * (high - low), q = low + golden * (high - low), vp = value(p), vq = value(q);
  while (high - low > 1e-6) {
    if (vp > vq)
      high = q, q = p, vq = vp, p = high - golden * (high - low), vp = value(p);
    else
      low = p, p = q, vp = vq, q = low + golden * (high - low), vq = value(q);
  }
  return best_for(logs, std::exp(0.5 * (low + high))).law;
}

TailFit fit_exponential_tail(const std::vector<double>& x, double from) {
  TailFit fit;
  double excess = 0.0;
  for (const double v : x)
    if (v > from) ++fit.count, excess += v - from;
  if (fit.count == 0 || excess == 0.0) return fit;
  fit.exponent = static_cast<double>(fit.count) / excess;
  fit.uncertainty = fit.exponent / std::sqrt(static_cast<double>(fit.count));
  fit.test = test_exponential_tail(x, fit.exponent, from);
  return fit;
}

KolmogorovSmirnov test_exponential_tail(const std::vector<double>& x, double beta, double from) {
  std::vector<double> tail;
  for (const double v : x)
    if (v > from) tail.push_back(v);
  return compare_with_law(tail, [&](double v) { return 1.0 - std::exp(-beta * (v - from)); });
}

TailFit fit_small_power(const std::vector<double>& x, double to) {
  TailFit fit;
  std::vector<double> small;
  double logs = 0.0;
  for (const double v : x)
    if (v > 0.0 && v <= to) small.push_back(v), logs += std::log(to / v);
  fit.count = small.size();
  if (small.empty() || logs == 0.0) return fit;
  const double k = static_cast<double>(small.size()) / logs;  // alpha + 1
  fit.exponent = k - 1.0;
  fit.uncertainty = k / std::sqrt(static_cast<double>(small.size()));
  fit.test = compare_with_law(small, [&](double v) { return std::pow(v / to, k); });
  return fit;
}

PowerExponential published_bulk_law() {
  constexpr double mean = 0.740, d = 2.016;
  return {0.172, 0.72 * std::pow(mean, d), d};
}

ForceHistogram force_histogram(const std::vector<double>& x, int classes, double largest) {
  ForceHistogram h;
  const double width = largest / classes;
  h.count.assign(static_cast<std::size_t>(classes), 0);
  for (const double v : x)
    if (v >= 0.0 && v < largest) ++h.count[std::min(static_cast<std::size_t>(v / width), h.count.size() - 1)];
  for (int i = 0; i < classes; ++i) {
    h.from.push_back(i * width), h.to.push_back((i + 1) * width);
    h.density.push_back(
        x.empty() ? 0.0 : static_cast<double>(h.count[static_cast<std::size_t>(i)]) / (width * static_cast<double>(x.size())));
  }
  return h;
}

}  // namespace moreau::measure
