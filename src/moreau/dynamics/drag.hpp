// The drag - c m v on every free body, piston and cell.
#pragma once

#include <span>

#include "moreau/base/exact_sum.hpp"
#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::inline dynamics {

// Taken implicitly with all that pushes in the step, forces and impulses of contacts alike: m (v_f - v_i) = h F + P - c h m v_f, so
// that what falls, or is pushed steadily, comes to F / (c m) whatever h. In two parts: with k = 1 / (1 + c h) the velocities begin
// the step as v = k v_i, and then v_f = v + k (h F + P) / m: what pushes meets masses 1/k times as large. Pistons and cell alike.
template <int D>
double drag_factor(const Model<D>& model) {
  return 1.0 / (1.0 + model.damping * model.time_step);
}

// The first part. Returns the kinetic energy K_i that the free bodies had before, those that are `counted` (empty: all). Not that
// of the ledger: sinks and sources have been at work since.
template <int D>
ExactSum<double, 3> damp(const Model<D>& model, State<D>& state, std::span<const std::uint8_t> counted = {});
// Of it what concerns pistons and cell.
template <int D>
void damp_apparatus(const Model<D>& model, State<D>& state);

// What the drag takes in a step that ends with the kinetic energy K_f: K_i - k^2 K_i at its beginning; then, the product of
// m (v_f - v) / k = h F + P with (v + v_f) / 2 being (K_f - K) / k = work of F and P, the rest (1/k - 1) (K_f - K). `given`: kinetic
// energy that bodies got with a change of the cell that they follow, whatever their mass.
inline double taken_by_drag(double factor, double begun, double ended, double given) {
  return (1.0 - factor * factor) * begun + (1.0 / factor - 1.0) * (ended - factor * factor * begun - given);
}

}  // namespace moreau::inline dynamics
