// A number that is given as a function of time: what a piston or a periodic cell is asked for.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "moreau/base/elementary.hpp"

namespace moreau::inline drive {

// mean + amplitude sin(2 pi frequency t), plus a table: linear between its points, constant before the first and after the last.
struct Signal {
  double mean = 0.0, amplitude = 0.0, frequency = 0.0;
  std::vector<double> times, values;

  double at(double t) const {
    double value = mean;
    if (amplitude != 0.0) value += amplitude * sine(2.0 * std::numbers::pi * frequency * t);
    if (times.empty()) return value;
    if (t <= times.front()) return value + values.front();
    if (t >= times.back()) return value + values.back();
    const std::size_t i = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
    const double s = (t - times[i - 1]) / (times[i] - times[i - 1]);
    return value + (1.0 - s) * values[i - 1] + s * values[i];
  }
};

}  // namespace moreau::inline drive
