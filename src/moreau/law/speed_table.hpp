// A coefficient that depends on a speed: linear between the points of a table, constant before the first and after the last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace moreau::inline law {

struct SpeedTable {
  std::vector<double> speed;  // increasing [velocity]
  std::vector<double> value;  // one for each

  bool empty() const { return speed.empty(); }

  double at(double v) const {
    const auto above = std::upper_bound(speed.begin(), speed.end(), v);
    if (above == speed.begin()) return value.front();
    if (above == speed.end()) return value.back();
    const std::size_t k = static_cast<std::size_t>(above - speed.begin());
    return value[k - 1] + (value[k] - value[k - 1]) * (v - speed[k - 1]) / (speed[k] - speed[k - 1]);
  }
};

}  // namespace moreau::inline law
