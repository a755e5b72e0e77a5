#include "moreau/dynamics/step_instant.hpp"

#include <algorithm>
#include <optional>

#include "moreau/dynamics/apparatus.hpp"

namespace moreau::inline dynamics {

namespace {
constexpr double rounding = 1e-9;  // of a step: a jump in the middle of the step before may not have been seen there

// The last time after `from`, not after `to`, at which the velocity of a motion jumps. Before its time 0 it was at rest, or moved
// otherwise if a phase has redefined it.
template <int D>
std::optional<double> last_jump(const Motion<D>& m, bool redefined, double from, double to) {
  std::optional<double> last;
  const auto note = [&](double t) {
    if (from < t && t <= to && (!last || *last < t)) last = t;
  };
  if (redefined || norm(velocity(m, 0.0)) > 0.0 || norm(spin(m, 0.0)) > 0.0) note(0.0);
  if (m.kind == MotionKind::table)
    for (const double t : m.times) note(t);
  return last;
}
}  // namespace

template <int D>
StepInstant instant_of_step(const Model<D>& model, const State<D>& state) {
  const StepInstant middle = middle_of_step(model, state);
  if (model.rule != ContactRule::predictive) return middle;
  const double h = model.time_step;
  double first = middle.time;
  for (std::size_t m = 0; m < model.motions.size(); ++m) {
    const bool redefined = m < state.motion_starts.size() && state.motion_starts[m].time > 0.0;
    const double start = m < state.motion_starts.size() ? state.motion_starts[m].time : 0.0;
    const double to = middle.time - start, from = to - (1.0 + rounding) * h;
    if (const std::optional<double> jump = last_jump(model.motions[m], redefined, from, to))
      first = std::min(first, start + *jump);
  }
  // What a piston is asked for changes its value steadily, but where a phase begins.
  if (state.time == state.phase_start)
    for (std::size_t p = 0; p < model.pistons.size(); ++p)
      if (model.pistons[p].control == PistonControl::velocity &&
          model.pistons[p].target.at(0.0) != (p < state.pistons.size() ? state.pistons[p].speed : 0.0))
        first = std::min(first, state.time);
  if (!(first < middle.time)) return middle;
  const double before = first - state.time, after = h - before;
  return {first, before, after, after + 0.5 * h, false};
}

template StepInstant instant_of_step(const Model<2>&, const State<2>&);
template StepInstant instant_of_step(const Model<3>&, const State<3>&);

}  // namespace moreau::inline dynamics
