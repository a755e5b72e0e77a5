// What the grains of a source are like, whether it brings one kind or several.
#pragma once

#include <algorithm>

#include "moreau/bodies/bodies.hpp"
#include "moreau/drive/source.hpp"

namespace moreau::inline scene {

template <int D>
inline std::vector<SourceKind> kinds_of(const Source<D>& source) {
  if (!source.mixture.empty()) return source.mixture;
  return {{1.0, -1, source.sizes, source.material, source.density}};
}

// Radius of the smallest ball, or reach of the smallest block.
template <int D>
inline double smallest_grain(const Source<D>& source, const Bodies<D>& bodies) {
  double smallest = HUGE_VAL;
  for (const SourceKind& kind : kinds_of(source))
    smallest =
        std::min(smallest, kind.shape < 0 ? kind.sizes.smallest() : bodies.shapes[static_cast<std::size_t>(kind.shape)].reach);
  return smallest;
}

}  // namespace moreau::inline scene
