// Eight numbers side by side, one per contact. The compiler maps them to whatever vector registers the target has; every
// operation is elementwise and exactly rounded, so results do not depend on the register width.
#pragma once

#include <cmath>

#include "moreau/base/inline.hpp"

namespace moreau {

inline constexpr int lanes = 8;
typedef double Lanes __attribute__((vector_size(lanes * sizeof(double))));

// Memory for eight numbers, where a vector register can be loaded from.
struct alignas(lanes * sizeof(double)) LaneRow {
  double c[lanes];
};

MOREAU_INLINE Lanes load(const double* p) { return *reinterpret_cast<const Lanes*>(p); }
// From anywhere, not only where a vector register can be loaded from.
MOREAU_INLINE Lanes load_unaligned(const double* p) {
  Lanes x;
  __builtin_memcpy(&x, p, sizeof(x));
  return x;
}
MOREAU_INLINE void store(double* p, const Lanes& x) { *reinterpret_cast<Lanes*>(p) = x; }

MOREAU_INLINE Lanes maximum(const Lanes& x, double floor) { return x > floor ? x : Lanes{} + floor; }

MOREAU_INLINE Lanes square_root(const Lanes& x) {
  Lanes r;
  for (int l = 0; l < lanes; ++l) r[l] = std::sqrt(x[l]);
  return r;
}

MOREAU_INLINE double square_root(double x) { return std::sqrt(x); }

// In-place transposition of eight rows of eight.
MOREAU_INLINE void transpose(Lanes (&m)[lanes]) {
  Lanes s[lanes], t[lanes];
  for (int i = 0; i < 8; i += 2) {
    s[i] = __builtin_shufflevector(m[i], m[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    s[i + 1] = __builtin_shufflevector(m[i], m[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += 4)
    for (int j = 0; j < 2; ++j) {
      t[i + j] = __builtin_shufflevector(s[i + j], s[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      t[i + j + 2] = __builtin_shufflevector(s[i + j], s[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int j = 0; j < 4; ++j) {
    m[j] = __builtin_shufflevector(t[j], t[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    m[j + 4] = __builtin_shufflevector(t[j], t[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

}  // namespace moreau
