// Regions as users name them, resolved anew at every instant, because walls move and heaps grow.
#pragma once

#include "moreau/measure/region.hpp"

namespace moreau::measure {

struct RegionChoice {
  enum class Kind { all, bulk, skin, box, layer, layers, slice, slices, ring, rings, squares } kind = Kind::all;
  std::string text = "all";     // as given, for messages and tables
  std::vector<double> numbers;  // bulk, skin: thickness. box: low and high corner. layer, slice, ring: from, to (ring: then z
                                // from, to). layers, slices, rings, squares: width
  int axis = 0;                 // of a slice
};

inline constexpr std::size_t most_regions = 10000;  // that one choice is cut into

// One region, or as many as the sample holds of the width given (layers from the bottom, slices from the low side, rings from the
// axis, squares from the border inwards). Rings lie about the vertical axis through `centre` (2-D: about that point), or about
// the axis of the cylinder that bounds the sample. At most `limit` regions.
template <int D>
std::vector<Region<D>> resolve(const RegionChoice& choice, const Domain<D>& domain, const Vec<D>& centre,
                               std::size_t limit = most_regions);

}  // namespace moreau::measure
