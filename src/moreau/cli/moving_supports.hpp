// Walls and bodies that are in motion where an equilibrium is asked for.
#pragma once

#include <fmt/format.h>

#include "moreau/dynamics/model.hpp"

namespace moreau {

// A sentence with the motions that are not at rest at this time; empty without any.
template <int D>
std::string moving_supports(const Model<D>& model, double time) {
  std::string names;
  for (const Motion<D>& motion : model.motions) {
    const double t = time + 0.5 * model.time_step;
    const bool moves = turns(motion) ? norm(spin(motion, t)) > 0.0 : norm(velocity(motion, t)) > 0.0;
    if (moves) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", motion.name);
  }
  if (names.empty()) return {};
  return fmt::format("supports move (motion {}): what rests on them is not at rest, and this asks whether it could be", names);
}

}  // namespace moreau
