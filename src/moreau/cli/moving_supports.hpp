// Walls and bodies that are in motion where an equilibrium is asked for.
#pragma once

#include <fmt/format.h>

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau {

// Of each motion, whether a wall, its surface or a body that is there follows it.
template <int D>
std::vector<char> followed_motions(const Model<D>& model, const BodyParameters<D>& bodies) {
  std::vector<char> followed(model.motions.size(), 0);
  const auto follow = [&](std::int32_t motion) {
    if (motion >= 0) followed[static_cast<std::size_t>(motion)] = 1;
  };
  for (const Wall<D>& wall : model.walls) follow(wall.motion), follow(wall.turning), follow(wall.surface);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.kind[i] == BodyKind::driven) follow(bodies.motion[i]);
  return followed;
}

// A sentence with the motions of supports that are not at rest at this instant; empty without any.
template <int D>
std::string moving_supports(const Model<D>& model, const State<D>& state) {
  std::string names;
  const std::vector<char> followed = followed_motions(model, state.bodies.parameters);
  for (std::size_t k = 0; k < model.motions.size(); ++k) {
    const Motion<D>& motion = model.motions[k];
    const double t = state.time + 0.5 * model.time_step;
    const bool moves = turns(motion) ? norm(spin(motion, t)) > 0.0 : norm(velocity(motion, t)) > 0.0;
    if (followed[k] && moves) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", motion.name);
  }
  if (names.empty()) return {};
  return fmt::format("supports move (motion {}): what rests on them is not at rest, and this asks whether it could be", names);
}

}  // namespace moreau
