// Bodies come from sources and leave into sinks between two steps. Both return how many.
#pragma once

#include <span>
#include <vector>

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::inline dynamics {

// Whether the next step begins with grains from sources.
template <int D>
bool insertion_is_due(const Model<D>& model, const State<D>& state);

// Bodies that something holds: fixed and driven ones, and those with a loaded contact in the last step. A grain still in flight
// holds nothing; without this, grains poured fast would stack up in the air on those that fall.
template <int D>
std::vector<bool> held_bodies(const State<D>& state);
// Of the state, parameters and positions of the bodies are asked for.
template <int D>
std::size_t insert_from_sources(const Model<D>& model, State<D>& state, std::vector<bool> held);

template <int D>
std::size_t remove_into_sinks(const Model<D>& model, State<D>& state);
// Only these bodies are looked at, in increasing order.
template <int D>
std::size_t remove_into_sinks(const Model<D>& model, State<D>& state, std::span<const std::int32_t> among);

}  // namespace moreau::inline dynamics
