#include "moreau/drive/source.hpp"

#include <algorithm>

namespace moreau {

double SizeDistribution::largest() const {
  switch (kind) {
    case Kind::constant:
      return low;
    case Kind::uniform:
      return high;
    case Kind::bidisperse:
      return share_of_high > 0.0 ? high : low;
    case Kind::list:
      return *std::max_element(radii.begin(), radii.end());
  }
  return low;
}

double SizeDistribution::smallest() const {
  switch (kind) {
    case Kind::constant:
    case Kind::uniform:
      return low;
    case Kind::bidisperse:
      return share_of_high < 1.0 ? low : high;
    case Kind::list:
      return *std::min_element(radii.begin(), radii.end());
  }
  return low;
}

double SizeDistribution::draw(RandomStream& random, std::uint64_t index) const {
  switch (kind) {
    case Kind::constant:
      return low;
    case Kind::uniform:
      return random.uniform(low, high);
    case Kind::bidisperse:
      return random.uniform() < share_of_high ? high : low;
    case Kind::list:
      return radii[static_cast<std::size_t>(index % radii.size())];
  }
  return low;
}

}  // namespace moreau
