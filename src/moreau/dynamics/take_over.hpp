// One state in the place of another.
#pragma once

#include <utility>

#include "moreau/dynamics/state.hpp"

namespace moreau::inline dynamics {

// `state` becomes `other`. Its bodies stay where they are in memory, as long as they are no more than they were: the arrays of a
// script look at them.
template <int D>
void take_over(State<D>& state, State<D>&& other) {
  state.bodies = other.bodies;
  std::swap(state.bodies, other.bodies);
  state = std::move(other);
}

}  // namespace moreau::inline dynamics
