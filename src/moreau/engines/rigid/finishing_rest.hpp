// When the finishing solver leaves large parts alone.
#pragma once

#include <algorithm>
#include <cstdint>

#include "moreau/dynamics/state.hpp"
#include "moreau/solver/certificate.hpp"

namespace moreau::inline engines {

// Where large parts were not brought to their end, it rests: twice as long after each failure.
template <int D>
void note_finishing(State<D>& state, const Certificate& certificate) {
  constexpr std::uint64_t longest_rest = 9;  // a power of two, in steps
  if (certificate.finishing_failed)
    state.finishing_rests_until =
        state.step + (std::uint64_t{1} << std::min<std::uint64_t>(++state.finishing_failures, longest_rest));
  else if (certificate.factorisations > 0)
    state.finishing_failures = 0;
}

}  // namespace moreau::inline engines
