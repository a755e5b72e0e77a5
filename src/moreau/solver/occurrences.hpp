// How often the two bodies of a contact occur among all in its pack; once for `none`, whatever the pack.
#pragma once

#include <cstdint>
#include <iterator>

#include "moreau/base/lanes.hpp"

namespace moreau::inline solver {

struct Occurrences {
  int a = 1, b = 1;
};
template <class Pack>
Occurrences occurrences(const Pack& pack, int lane, std::int32_t none) {
  const auto times = [&](std::int32_t body) {
    if (body == none) return 1;
    int k = 0;
    for (std::size_t l = 0; l < std::size(pack.a); ++l) k += (pack.a[l] == body) + (pack.b[l] == body);
    return k;
  };
  return {times(pack.a[lane]), times(pack.b[lane])};
}

}  // namespace moreau::inline solver
