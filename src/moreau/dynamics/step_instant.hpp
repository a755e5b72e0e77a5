// The instant of a step at which contacts are looked for and impulses act: its middle, unless something driven jumps to another
// velocity. Under the predictive rule the step before has seen to it that nothing overlaps in the middle of this one, but it
// could not foresee a jump: by then an obstacle that started at the beginning of the step is h/2 V inside what it touches, and
// taking that back would throw it off faster than the obstacle moves. Such a step has its instant where the jump is, so that the
// body moves with the obstacle from there on:
//
//   q(t) = q_i + (t - t_i) u_i,     q_f = q(t) + (t_f - t) u_f,     U_N + gap(t) / reach >= 0
#pragma once

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::inline dynamics {

struct StepInstant {
  double time = 0.0;
  double before = 0.0, after = 0.0;  // from the beginning of the step, and to its end
  double reach = 0.0;                // to the middle of the next step
  bool is_middle = true;
};

template <int D>
StepInstant middle_of_step(const Model<D>& model, const State<D>& state) {
  const double h = model.time_step, half = 0.5 * h;
  return {state.time + half, half, half, h, true};
}

// Of the step that begins in this state.
template <int D>
StepInstant instant_of_step(const Model<D>& model, const State<D>& state);

}  // namespace moreau::inline dynamics
