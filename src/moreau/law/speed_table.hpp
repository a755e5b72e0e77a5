// A coefficient that depends on a speed: linear between the points of a table, constant before the first and after the last.
#pragma once

#include <cstddef>
#include <vector>

#include "moreau/base/inline.hpp"

namespace moreau::inline law {

// A table in the memory of whoever reads it: this program, or a graphics card.
struct SpeedTableView {
  const double *speed = nullptr, *value = nullptr;
  std::size_t points = 0;

  MOREAU_BOTH bool empty() const { return points == 0; }
  MOREAU_BOTH double at(double v) const {
    std::size_t k = 0;  // the first point above v
    while (k < points && !(v < speed[k])) ++k;
    if (k == 0) return value[0];
    if (k == points) return value[points - 1];
    return value[k - 1] + (value[k] - value[k - 1]) * (v - speed[k - 1]) / (speed[k] - speed[k - 1]);
  }
};

struct SpeedTable {
  std::vector<double> speed;  // increasing [velocity]
  std::vector<double> value;  // one for each

  bool empty() const { return speed.empty(); }
  double at(double v) const { return SpeedTableView{speed.data(), value.data(), speed.size()}.at(v); }
  bool operator==(const SpeedTable&) const = default;
};

}  // namespace moreau::inline law
