// Numbers of cells, chords and strokes from ratios of lengths, which may be anything: a plain cast of what the type does not hold
// is undefined.
#pragma once

#include <cmath>
#include <cstdint>

namespace moreau::inline base {

// The largest integer not above x, within 4e18 of zero; of what is no number the least.
inline std::int64_t whole(double x) { return static_cast<std::int64_t>(std::floor(std::fmin(std::fmax(x, -4e18), 4e18))); }

}  // namespace moreau::inline base
