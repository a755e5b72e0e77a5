#include "moreau/draw/canvas/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace moreau::inline draw {

namespace {

std::string power_of_ten(int exponent) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char c : std::to_string(std::abs(exponent))) text += digits[c - '0'];
  return text;
}

bool plain(double largest) { return largest == 0.0 || (largest >= 1e-3 && largest < 1e5); }

int exponent_of(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9)); }

// All labels of an axis share one notation and one number of decimals, chosen from the step and the largest value.
std::string label(double value, double step, double largest) {
  if (value == 0.0) return "0";
  if (plain(largest)) return fmt::format("{:.{}f}", value, std::max(0, -exponent_of(step)));
  const int exponent = exponent_of(largest);
  const std::string mantissa =
      fmt::format("{:.{}f}", value / std::pow(10.0, exponent), std::clamp(exponent - exponent_of(step), 0, 9));
  return mantissa + "×" + power_of_ten(exponent);
}

}  // namespace

double round_down(double length) {
  if (!(length > 0.0) || !std::isfinite(length)) return 1.0;
  const double unit = std::pow(10.0, exponent_of(length)), mantissa = length / unit * (1.0 + 1e-9);
  return unit * (mantissa >= 5.0 ? 5.0 : mantissa >= 2.0 ? 2.0 : 1.0);
}

std::vector<Tick> linear_ticks(double low, double high, int count) {
  // Below this the values differ by rounding only, and no step could tell them apart.
  if (!(high - low > 1e-12 * std::max(std::abs(low), std::abs(high)))) return {{low, short_number(low)}};
  const double wanted = (high - low) / std::max(1, count), unit = std::pow(10.0, exponent_of(wanted));
  double step = 10.0 * unit;
  for (const double multiple : {5.0, 2.0, 1.0})
    if (multiple * unit >= wanted * (1.0 - 1e-9)) step = multiple * unit;
  std::vector<Tick> ticks;
  const double largest = std::max(std::abs(low), std::abs(high)), slack = 1e-6;
  const double first = std::ceil(low / step - slack), last = std::floor(high / step + slack);
  for (double k = first; k <= last; k += 1.0) ticks.push_back({k * step, label(k * step, step, largest)});
  return ticks;
}

std::vector<Tick> log_ticks(double low, double high, int count) {
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9)),
            last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  if (last <= first) return linear_ticks(low, high, count);
  const int stride = std::max(1, (last - first + count) / std::max(1, count));
  std::vector<Tick> ticks;
  for (int e = first; e <= last; e += stride) ticks.push_back({std::pow(10.0, e), e == 0 ? "1" : power_of_ten(e)});
  return ticks;
}

std::string short_number(double value) {
  if (!std::isfinite(value)) return "undefined";
  if (plain(std::abs(value)))
    return fmt::format("{:g}", std::abs(value) >= 100.0 ? std::round(value) : std::stod(fmt::format("{:.3g}", value)));
  const int exponent = exponent_of(value);
  return fmt::format("{:.3g}×{}", value / std::pow(10.0, exponent), power_of_ten(exponent));
}

}  // namespace moreau::inline draw
