// What to say where blocks have fewer contacts than there are free bodies: a survey, whose joints are open by its noise.
#pragma once

#include <fmt/format.h>

#include <string>

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau {

// Empty if there is nothing to say.
template <int D>
std::string few_touch(const Model<D>& model, const State<D>& state, std::size_t contacts) {
  std::size_t free = 0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) free += state.bodies.is_free(i) ? 1 : 0;
  if (state.bodies.all_round() || contacts >= free) return {};
  return fmt::format(
      "only {} contact{} between {} free bodies: joints that are open by more than contact.distance ({}) do not count, and "
      "these numbers say little of the structure; give the width of the widest joint that is to count with --set "
      "contact.distance=WIDTH (of a run: when it is made)",
      contacts, contacts == 1 ? "" : "s", free,
      model.contact_distance > 0.0 ? fmt::format("{:.3g}", model.contact_distance) : "0: 1e-5 of a radius");
}

}  // namespace moreau
