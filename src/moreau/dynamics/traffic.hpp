// What sources have brought and sinks have taken since the beginning. Bodies keep their numbers and new ones come last, so the
// state tells it by itself.
#pragma once

#include "moreau/dynamics/state.hpp"

namespace moreau::inline dynamics {

struct Traffic {
  std::size_t inserted = 0, removed = 0;           // bodies
  double inserted_mass = 0.0, removed_mass = 0.0;  // theirs
};

template <int D>
Traffic traffic(const State<D>& state) {
  Traffic all;
  for (const SourceState& source : state.sources) all.inserted += static_cast<std::size_t>(source.emitted);
  const BodyParameters<D>& p = state.bodies.parameters;
  for (std::size_t i = p.size() - all.inserted; i < p.size(); ++i) all.inserted_mass += p.mass[i];
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p.kind[i] == BodyKind::removed) ++all.removed, all.removed_mass += p.mass[i];
  return all;
}

}  // namespace moreau::inline dynamics
