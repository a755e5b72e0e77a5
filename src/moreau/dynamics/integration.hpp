// What an engine that integrates forces in time keeps of the motion besides positions and velocities; empty for the others.
#pragma once

#include <cstdint>
#include <vector>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline dynamics {

template <int D>
struct Integration {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t step = none;  // of the state to which the rest belongs; of another step: forgotten, computed anew
  double dissipated_power = 0.0, wall_power = 0.0;  // at the end of that step

  // Of every body. What rounding a position leaves is kept: its place is position + remainder, so that motions far below the
  // last digit of a position add up (strains of 1e-9, reached by steps of 1e-15).
  std::vector<Vec<D>> remainder;
  std::vector<Vec<D>> acceleration, jerk;  // jerk: of Gear's scheme only
  std::vector<Spin<D>> spin_acceleration, spin_jerk;
  std::vector<double> piston_acceleration, piston_jerk;
  // Of a cell that deforms, D rows each: what rounding its vectors leaves, and the rate of its velocity gradient.
  std::vector<Vec<D>> cell_remainder, gradient_rate;
};

}  // namespace moreau::inline dynamics
