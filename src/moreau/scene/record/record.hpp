// Recorded ground motion: accelerations along one direction or along the axes, from files or written in the scene itself.
#pragma once

#include <vector>

#include "moreau/scene/read/number_file.hpp"

namespace moreau::inline scene {

// Accelerations at increasing times, one column for each component.
struct Record {
  std::vector<double> times;
  std::vector<std::vector<double>> components;
};

inline constexpr std::size_t most_record_points = 1'000'000;

// The keys `record` (a file of two columns, a PEER file .at2, or a table with 'times' and 'accelerations'), `columns` (of a file
// with more than two) and `components` (a file for each axis). One component, along a direction still to be given, or `dimension`
// of them.
Record read_record(TableReader& entry, NamedFiles& files, int dimension);

// How an acceleration is corrected before it is integrated (docs/scene-format.md).
enum class Baseline {
  none,
  rest,       // less c_0 + c_1 t, chosen so that the record ends without velocity and displacement
  linear,     // less the derivative of the polynomial c_1 t + c_2 t^2 that fits the velocity best (least squares over time)
  quadratic,  // same, up to t^3
};
void correct_baseline(const std::vector<double>& times, std::vector<double>& acceleration, Baseline baseline);

}  // namespace moreau::inline scene
