// Eight vectors that lie one after the other in memory, to and from one row of eight numbers per component.
#pragma once

#include "moreau/base/lanes.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::soft {

MOREAU_INLINE void store_unaligned(double* p, const Lanes& x) { __builtin_memcpy(p, &x, sizeof(x)); }

MOREAU_INLINE Vec<1, Lanes> load_vectors(const Vec<1>* from) { return {{load_unaligned(from->c)}}; }
MOREAU_INLINE void store_vectors(Vec<1>* to, const Vec<1, Lanes>& v) { store_unaligned(to->c, v[0]); }

MOREAU_INLINE Vec<2, Lanes> load_vectors(const Vec<2>* from) {
  const Lanes a = load_unaligned(from->c), b = load_unaligned(from->c + 8);
  return {{__builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14), __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)}};
}
MOREAU_INLINE void store_vectors(Vec<2>* to, const Vec<2, Lanes>& v) {
  store_unaligned(to->c, __builtin_shufflevector(v[0], v[1], 0, 8, 1, 9, 2, 10, 3, 11));
  store_unaligned(to->c + 8, __builtin_shufflevector(v[0], v[1], 4, 12, 5, 13, 6, 14, 7, 15));
}

// x0 y0 z0 x1 y1 z1 x2 y2 | z2 x3 y3 z3 x4 y4 z4 x5 | y5 z5 x6 y6 z6 x7 y7 z7
MOREAU_INLINE Vec<3, Lanes> load_vectors(const Vec<3>* from) {
  const Lanes a = load_unaligned(from->c), b = load_unaligned(from->c + 8), c = load_unaligned(from->c + 16);
  const Lanes x = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, 0, 0),
              y = __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, 0, 0, 0),
              z = __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, 0, 0, 0);
  return {{__builtin_shufflevector(x, c, 0, 1, 2, 3, 4, 5, 10, 13), __builtin_shufflevector(y, c, 0, 1, 2, 3, 4, 8, 11, 14),
           __builtin_shufflevector(z, c, 0, 1, 2, 3, 4, 9, 12, 15)}};
}
MOREAU_INLINE void store_vectors(Vec<3>* to, const Vec<3, Lanes>& v) {
  const Lanes xy = __builtin_shufflevector(v[0], v[1], 0, 8, 0, 1, 9, 0, 2, 10),
              xy_mid = __builtin_shufflevector(v[0], v[1], 0, 3, 11, 0, 4, 12, 0, 5),
              xy_end = __builtin_shufflevector(v[0], v[1], 13, 0, 6, 14, 0, 7, 15, 0);
  store_unaligned(to->c, __builtin_shufflevector(xy, v[2], 0, 1, 8, 3, 4, 9, 6, 7));
  store_unaligned(to->c + 8, __builtin_shufflevector(xy_mid, v[2], 10, 1, 2, 11, 4, 5, 12, 7));
  store_unaligned(to->c + 16, __builtin_shufflevector(xy_end, v[2], 0, 13, 2, 3, 14, 5, 6, 15));
}

}  // namespace moreau::soft
