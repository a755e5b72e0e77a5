// How often the two bodies of a contact occur among all in its block; once for `none`, whatever the block.
#pragma once

#include <cstdint>
#include <iterator>

#include "moreau/base/lanes.hpp"

namespace moreau {

struct Occurrences {
  int a = 1, b = 1;
};
template <class Block>
Occurrences occurrences(const Block& block, int lane, std::int32_t none) {
  const auto times = [&](std::int32_t body) {
    if (body == none) return 1;
    int k = 0;
    for (std::size_t l = 0; l < std::size(block.a); ++l) k += (block.a[l] == body) + (block.b[l] == body);
    return k;
  };
  return {times(block.a[lane]), times(block.b[lane])};
}

}  // namespace moreau
