// Mean and standard deviation of the numbers of a table over several steps (Welford's recurrence: one pass, no cancellation).
#pragma once

#include <cstdint>
#include <vector>

#include "moreau/measure/table.hpp"

namespace moreau::measure {

struct RunningMean {
  std::uint64_t count = 0;           // steps so far
  std::vector<double> mean, spread;  // number by number, row after row; spread: sum of squared deviations

  // A table of another shape than those before begins anew.
  void add(const Table& table);
  // As `like`, the last table added, with means in place of numbers, then NAME_sd for every column of numbers, and `averaged`, the
  // number of steps. The standard deviation is that of the steps, not of their mean: neighbouring steps are not independent.
  Table table(const Table& like) const;
};

}  // namespace moreau::measure
