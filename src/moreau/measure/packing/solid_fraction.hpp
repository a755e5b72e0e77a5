// Share of a region that is matter, and the void ratio e = 1/phi - 1.
#pragma once

#include "moreau/measure/region.hpp"

namespace moreau::measure {

struct SolidFraction {
  double volume = 0.0;  // of the region
  double matter = 0.0;  // of the free bodies, or the parts of them, that lie in it
  double fraction() const { return matter / volume; }
  double void_ratio() const { return volume / matter - 1.0; }
};

// Bodies on the border count for their share that lies inside, by some thousand points of each.
template <int D>
SolidFraction solid_fraction(const Sample<D>& sample, const Region<D>& region);

}  // namespace moreau::measure
