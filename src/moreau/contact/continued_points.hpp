// Which points of a pair of bodies go on from points of the step before; on the processor and on graphics cards.
#pragma once

#include "moreau/contact/touching_points.hpp"

namespace moreau::inline contact {

// A point whose features are new takes over the impulse of a point that vanished from the same pair at most this far away, in
// radii of the smaller body: an overlap of faces that loses one corner gains another beside it.
inline constexpr double takeover_distance = 0.1;

// Whether a corner that a body has not leant on before holds it up is judged by a fall of so many times what gravity does in a
// step, which stands out from overlaps.
inline constexpr double fall_steps = 10.0;

// The points of before have these features and places; `taken` are as many zeros, `recalled` as many -1 as there are points now.
// `reach`: radius of the smaller body. After: recalled[k] is the number of the point that point k continues, none twice.
template <int D>
MOREAU_BOTH void continue_points(const TouchingPoint<D>* now, std::size_t count, const std::uint64_t* feature,
                                 const Vec<D>* before, std::size_t many, double reach, char* taken, std::int32_t* recalled) {
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t row = 0; row < many; ++row)
      if (feature[row] == now[k].feature) recalled[k] = static_cast<std::int32_t>(row), taken[row] = 1;
  for (std::size_t k = 0; k < count; ++k) {
    if (recalled[k] >= 0) continue;
    double nearest = takeover_distance * reach;
    for (std::size_t row = 0; row < many; ++row) {
      const double distance = norm(before[row] - now[k].point);
      if (!taken[row] && distance <= nearest) nearest = distance, recalled[k] = static_cast<std::int32_t>(row);
    }
    if (recalled[k] >= 0) taken[recalled[k]] = 1;
  }
}

}  // namespace moreau::inline contact
