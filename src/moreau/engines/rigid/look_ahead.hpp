// How far ahead contacts are looked for.
#pragma once

#include <algorithm>

#include "moreau/base/exact_sum.hpp"
#include "moreau/bodies/bodies.hpp"
#include "moreau/contact/neighbours.hpp"
#include "moreau/dynamics/formal_shift.hpp"
#include "moreau/dynamics/model.hpp"

namespace moreau::inline engines {

// The predictive rule looks at pairs that could close their gap within this many steps, or nearer than this fraction of the mean
// radius.
inline constexpr double predictive_steps = 2.0;
inline constexpr double predictive_distance = 1e-3;
// Overlap at the next midpoint up to which a pair may be missed, in diameters of the smallest body (missed_contacts.cpp).
inline constexpr double tolerated_overlap = 5e-3;
inline constexpr int most_repetitions = 3;  // of the solution, with such pairs

template <int D>
double mean_radius(const Bodies<D>& bodies) {
  TermSum<2> sum;
  for (double r : bodies.parameters.radius) sum.add(r);
  return sum.sum().value() / static_cast<double>(std::max<std::size_t>(1, bodies.size()));
}

template <int D>
LookAhead look_ahead(const Model<D>& model, double mean_radius) {
  const double h = model.time_step, fall = h * h * norm(model.gravity);  // in one step, from rest
  if (model.rule == ContactRule::midpoint) return {0.0, model.contact_distance, h, model.contact_distance};
  return {predictive_steps * h, std::max({model.contact_distance, predictive_distance * mean_radius, predictive_steps * fall}), h,
          std::max(slack_of_fall * fall, slack_of_radius * mean_radius)};
}

}  // namespace moreau::inline engines
