// Bodies come from sources and leave into sinks between two steps. Both return how many.
#pragma once

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau {

// Whether the next step begins with grains from sources.
template <int D>
bool insertion_is_due(const Model<D>& model, const State<D>& state);

template <int D>
std::size_t insert_from_sources(const Model<D>& model, State<D>& state);

template <int D>
std::size_t remove_into_sinks(const Model<D>& model, State<D>& state);

}  // namespace moreau
