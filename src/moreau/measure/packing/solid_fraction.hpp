// Share of a region that is matter, and the void ratio e = 1/phi - 1.
#pragma once

#include <cmath>

#include "moreau/measure/region.hpp"

namespace moreau::measure {

struct SolidFraction {
  double volume = 0.0;  // of the region
  double matter = 0.0;  // of the free bodies, or the parts of them, that lie in it
  // Not a number where the region, or the matter, has no volume: between walls that have passed each other.
  double fraction() const { return volume > 0.0 ? matter / volume : NAN; }
  double void_ratio() const { return volume > 0.0 && matter > 0.0 ? volume / matter - 1.0 : NAN; }
};

// Bodies on the border count for their share that lies inside, by some thousand points of each.
template <int D>
SolidFraction solid_fraction(const Sample<D>& sample, const Region<D>& region);

}  // namespace moreau::measure
