// The normal part of the constant in the formal velocity, over any number type: rho U_N for a contact that may bounce (Moreau
// 2003, eq. 39); under the predictive rule the speed at which the gap may close, so that U_N + gap/h >= 0.
#pragma once

#include "moreau/base/lanes.hpp"

namespace moreau {

// Share of a large overlap that the predictive rule takes back in one step. All of it at once would throw bodies apart that
// overlap because a third one pushed them together within a step. An overlap that a speed of h |g| can undo is taken back whole.
inline constexpr double overlap_recovery = 0.2;

struct ShiftRule {
  bool strikes = true;      // else the shocks of the step are over
  bool predictive = false;  // the contact is known before it closes
  double time_step = 0.0;
  double weight_speed = 0.0;  // h |g|
};

// `approach` is U_N at the beginning of the step, negative when the bodies come nearer.
template <class Real>
MOREAU_INLINE Real formal_shift(const ShiftRule& rule, const Real& gap, const Real& approach, const Real& restitution) {
  const Real bounce = rule.strikes ? restitution * approach : Real{};
  if (!rule.predictive) return bounce;
  const Real closing = gap / rule.time_step, overlap = -closing, weight = Real{} + rule.weight_speed;
  const Real slowly = overlap_recovery * overlap, whole = weight < overlap ? weight : overlap;
  const Real allowed = closing < 0.0 ? -(slowly < whole ? whole : slowly) : closing;
  if (!rule.strikes) return allowed;
  const auto bounces = (restitution > 0.0) & (allowed + approach <= 0.0);
  return bounces ? (bounce < allowed ? bounce : allowed) : allowed;
}

}  // namespace moreau
