// Sources: grains that appear one by one during the run, at rest, touching what is already there.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "moreau/base/random.hpp"
#include "moreau/drive/sizes.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau {

template <int D>
struct Source {
  std::string name;
  double rate = 0.0;  // grains per unit time
  double start = 0.0, end = std::numeric_limits<double>::infinity();
  std::uint64_t count = std::numeric_limits<std::uint64_t>::max();  // at most this many grains
  SizeDistribution sizes;
  std::int32_t material = 0;
  double density = 0.0;
  Vec<D> centre{};      // grains come on lines parallel to gravity, at most `spread` from the one through `centre`
  double spread = 0.0;  // uniform over the disc (in the plane: the segment) of this radius
};

// What a source has done so far; part of the state of the run.
struct SourceState {
  std::uint64_t emitted = 0;
  RandomStream random;
};

}  // namespace moreau
