// Steps between what is done now and then. They depend on the step number and on counts alone, so that a resumed run does it too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace moreau::inline engines {

// Estimates of the error where sweeps are expected to do well. One takes as long as 10 steps of the processor, and as 50 to 100
// of a graphics card: it is made more rarely where both take long.
inline constexpr std::uint64_t look_period = 50, rare_look_period = 500;
inline constexpr std::size_t many_contacts = 5000;
inline constexpr std::uint64_t reorder_period = 500;  // orderings of the bodies in space

inline constexpr bool is_looked_at(std::uint64_t step, std::size_t contacts) {
  return step % (contacts < many_contacts ? look_period : rare_look_period) == 0;
}

inline constexpr bool is_reordered(std::uint64_t step) { return step % reorder_period == 0; }

}  // namespace moreau::inline engines
