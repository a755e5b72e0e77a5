// One frictionless contact: Signorini's condition between the normal impulse and the normal formal velocity.
//
//   w = v + H P,   w_N >= 0,  P_N >= 0,  w_N P_N = 0,  P_T = 0        (Moreau 2003, eq. 20)
//
// Branches: open, v_N >= 0: P = 0.  Closed, v_N < 0: P_N = -v_N / H_NN. The solution is unique since H_NN > 0.
// Tested in tests/law/frictionless_test.cpp.
#pragma once

#include <algorithm>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline law {

// v: formal velocity if P were zero [velocity]; normal_delassus: H_NN > 0 [1/mass]. Returns P [impulse], normal first.
template <int D>
inline Vec<D> solve_frictionless(const Vec<D>& v, double normal_delassus) {
  Vec<D> impulse{};
  impulse[0] = std::max(0.0, -v[0] / normal_delassus);
  return impulse;
}

}  // namespace moreau::inline law
