// Steps between what is done now and then. They depend on the step number alone, so that a resumed run does it too.
#pragma once

#include <cstdint>

namespace moreau::inline engines {

inline constexpr std::uint64_t look_period = 50;      // estimates of the error where sweeps are expected to do well
inline constexpr std::uint64_t reorder_period = 500;  // orderings of the bodies in space

inline constexpr bool is_reordered(std::uint64_t step) { return step % reorder_period == 0; }

}  // namespace moreau::inline engines
