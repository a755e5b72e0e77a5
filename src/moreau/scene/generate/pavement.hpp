// A rough floor: balls with centres in a plane (in 2-D: on a line), so close that no grain as large as the smallest of them
// can pass between.
#pragma once

#include <vector>

#include "moreau/base/random.hpp"
#include "moreau/scene/read/read_grains.hpp"

namespace moreau::inline scene {

template <int D>
struct PavementStone {
  Vec<D> position;
  double radius;
};

// Stops when there are more than `most` stones.
template <int D>
std::vector<PavementStone<D>> pave(const Floor<D>& floor, RandomStream random, std::uint64_t most);

}  // namespace moreau::inline scene
