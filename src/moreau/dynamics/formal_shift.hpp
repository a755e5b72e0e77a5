// The normal part of the constant in the formal velocity, over any number type: rho U_N for a contact that may bounce (Moreau
// 2003, eq. 39); under the predictive rule the speed at which the gap may close, so that U_N + gap/h >= 0.
#pragma once

#include <algorithm>

#include "moreau/base/lanes.hpp"

namespace moreau::inline dynamics {

// Share of a large overlap that the predictive rule takes back in one step. All of it at once would throw bodies apart that
// overlap because a third one pushed them together within a step. An overlap that a speed of h |g| can undo is taken back whole.
inline constexpr double overlap_recovery = 0.2;

// Overlap or gap that is left as it is, of what gravity makes of a gap in a step (h^2 |g|), and of the mean radius. Stones that fill
// a space exactly overlap by roundings somewhere, and by what solutions leave; to be pushed apart with no room to go to is a problem
// without a solution, and impulses would grow in every step. Small gaps of stones at rest say different things from step to step.
inline constexpr double slack_of_fall = 1e-3;
inline constexpr double slack_of_radius = 1e-8;

struct ShiftRule {
  bool strikes = true;      // else the shocks of the step are over
  bool predictive = false;  // the contact is known before it closes
  double time_step = 0.0;
  double weight_speed = 0.0;  // h |g|
  double slack = 0.0;         // [velocity] overlap that is left, over the time step
  double gap_slack = 0.0;     // [velocity] gap that is left, over the time step

  ShiftRule() = default;
  // `left` is the overlap that contacts that yield have left (State::left_overlap).
  ShiftRule(bool strikes_now, bool predicts, double h, double gravity, double mean_radius, double left = 0.0)
      : strikes(strikes_now),
        predictive(predicts),
        time_step(h),
        weight_speed(h * gravity),
        slack(std::max({slack_of_fall * h * gravity, slack_of_radius * mean_radius / h, left / h})),
        gap_slack(std::max(slack_of_fall * h * gravity, slack_of_radius * mean_radius / h)) {}
};

// `approach` is U_N at the beginning of the step, negative when the bodies come nearer.
template <class Real>
MOREAU_INLINE Real formal_shift(const ShiftRule& rule, const Real& gap, const Real& approach, const Real& restitution) {
  const Real bounce = rule.strikes ? restitution * approach : Real{};
  if (!rule.predictive) return bounce;
  const Real closing = gap / rule.time_step, weight = Real{} + rule.weight_speed;
  const Real beyond = -closing - rule.slack, overlap = beyond < Real{} ? Real{} : beyond;
  const Real slowly = overlap_recovery * overlap, whole = weight < overlap ? weight : overlap;
  const Real allowed = closing < 0.0 ? -(slowly < whole ? whole : slowly) : closing;
  const auto closed = (allowed > 0.0) & (allowed <= rule.gap_slack);
  const Real kept = closed ? Real{} : allowed;
  if (!rule.strikes) return kept;
  const auto bounces = (restitution > 0.0) & (allowed + approach <= 0.0);
  return bounces ? (bounce < allowed ? bounce : allowed) : kept;
}

}  // namespace moreau::inline dynamics
