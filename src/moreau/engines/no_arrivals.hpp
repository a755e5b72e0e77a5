// Engines that only know loads take no grains.
#pragma once

#include <fmt/format.h>

#include "moreau/dynamics/source_due.hpp"
#include "moreau/engines/refusal.hpp"

namespace moreau::inline engines {

// Left waiting, the grains of a source would all come in the first step of another engine.
template <int D>
void refuse_arrivals(const Model<D>& model, const State<D>& state) {
  if (const Source<D>* source = source_due(model, state))
    throw EngineRefusal(fmt::format(
        "the source '{}' has grains to bring at t = {:.6g}, and the {} engine takes none; accepted: sources that have brought all "
        "their grains before such a phase ('end', 'count', or an 'end' of the phase before it with 'bodies')",
        source->name, state.time, engine_names()[static_cast<std::size_t>(model.engine)]));
}

}  // namespace moreau::inline engines
