// Eight numbers from eight places.
#pragma once

#include "moreau/base/lanes.hpp"

namespace moreau::inline base {

// Number k at each place p[0] ... p[7]. By way of registers: a vector cannot be read from memory just written number by number
// before the writes are done, and they queue behind others that wait for memory.
template <class Places>
MOREAU_INLINE Lanes gathered(const Places& p, int k) {
  return Lanes{p[0][k], p[1][k], p[2][k], p[3][k], p[4][k], p[5][k], p[6][k], p[7][k]};
}

}  // namespace moreau::inline base
