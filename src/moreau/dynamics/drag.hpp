// The drag - c m v on every free body, piston and cell.
#pragma once

#include <span>

#include "moreau/base/exact_sum.hpp"
#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::inline dynamics {

// Taken at the beginning of the step, implicitly: v (1 + c h) = v_i.
template <int D>
double drag_factor(const Model<D>& model) {
  return 1.0 / (1.0 + model.damping * model.time_step);
}

// Returns the kinetic energy that the free bodies had before, those that are `counted` (empty: all), of which the share
// 1 - drag_factor^2 is dissipated. Not that of the ledger: sinks and sources have been at work since.
template <int D>
ExactSum<double, 3> damp(const Model<D>& model, State<D>& state, std::span<const std::uint8_t> counted = {});

}  // namespace moreau::inline dynamics
