// Several numbers side by side, one per contact: eight in double precision, sixteen in single. The compiler maps them to whatever
// vector registers the target has; every operation is elementwise and exactly rounded, so results do not depend on the register
// width.
#pragma once

#include <cmath>
#include <cstddef>

#include "moreau/base/inline.hpp"

namespace moreau::inline base {

inline constexpr std::size_t lane_bytes = 64;
template <class Real>
inline constexpr int lanes_of = static_cast<int>(lane_bytes / sizeof(Real));
inline constexpr int lanes = lanes_of<double>;

// Memory for as many numbers, where a vector register can be loaded from.
template <class Real>
struct alignas(lane_bytes) RowOf {
  Real c[lanes_of<Real>];
};
using LaneRow = RowOf<double>;

// One number: what a thread of a graphics card works on.
MOREAU_INLINE double maximum(double x, double floor) { return x > floor ? x : floor; }
MOREAU_INLINE float maximum(float x, float floor) { return x > floor ? x : floor; }
MOREAU_INLINE double square_root(double x) { return std::sqrt(x); }
MOREAU_INLINE float square_root(float x) { return std::sqrt(x); }

#ifndef __CUDACC__

typedef double Lanes __attribute__((vector_size(lane_bytes)));
typedef float SingleLanes __attribute__((vector_size(lane_bytes)));

template <class Real>
struct LanesOfStruct;
template <>
struct LanesOfStruct<double> {
  using Type = Lanes;
};
template <>
struct LanesOfStruct<float> {
  using Type = SingleLanes;
};
template <class Real>
using LanesOf = typename LanesOfStruct<Real>::Type;

template <class Real>
MOREAU_INLINE LanesOf<Real> load(const Real* p) {
  return *reinterpret_cast<const LanesOf<Real>*>(p);
}
// From anywhere, not only where a vector register can be loaded from.
MOREAU_INLINE Lanes load_unaligned(const double* p) {
  Lanes x;
  __builtin_memcpy(&x, p, sizeof(x));
  return x;
}
MOREAU_INLINE void store(double* p, const Lanes& x) { *reinterpret_cast<Lanes*>(p) = x; }
MOREAU_INLINE void store(float* p, const SingleLanes& x) { *reinterpret_cast<SingleLanes*>(p) = x; }

MOREAU_INLINE Lanes maximum(const Lanes& x, double floor) { return x > floor ? x : Lanes{} + floor; }
MOREAU_INLINE SingleLanes maximum(const SingleLanes& x, float floor) { return x > floor ? x : SingleLanes{} + floor; }

MOREAU_INLINE Lanes square_root(const Lanes& x) {
  Lanes r;
  for (int l = 0; l < lanes; ++l) r[l] = std::sqrt(x[l]);
  return r;
}
MOREAU_INLINE SingleLanes square_root(const SingleLanes& x) {
  SingleLanes r;
  for (int l = 0; l < lanes_of<float>; ++l) r[l] = std::sqrt(x[l]);
  return r;
}

// In-place transposition of eight rows of eight. Pairs of numbers are interleaved first, then pairs of pairs exchanged: all of it
// with shuffles that need no table.
MOREAU_INLINE void transpose(Lanes (&m)[8]) {
  Lanes s[8], t[8];
  for (int i = 0; i < 8; i += 2) {
    s[i] = __builtin_shufflevector(m[i], m[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    s[i + 1] = __builtin_shufflevector(m[i], m[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += 4)
    for (int j = 0; j < 2; ++j) {
      t[i + j] = __builtin_shufflevector(s[i + j], s[i + j + 2], 0, 1, 4, 5, 8, 9, 12, 13);
      t[i + j + 2] = __builtin_shufflevector(s[i + j], s[i + j + 2], 2, 3, 6, 7, 10, 11, 14, 15);
    }
  for (int j = 0; j < 4; ++j) {
    m[j] = __builtin_shufflevector(t[j], t[j + 4], 0, 1, 4, 5, 8, 9, 12, 13);
    m[j + 4] = __builtin_shufflevector(t[j], t[j + 4], 2, 3, 6, 7, 10, 11, 14, 15);
  }
}

// Four rows of sixteen are four squares of four by four, side by side: each is transposed in place.
MOREAU_INLINE void transpose_squares(SingleLanes* m) {
  SingleLanes s[4];
  for (int i = 0; i < 2; ++i) {
    s[i] = __builtin_shufflevector(m[2 * i], m[2 * i + 1], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    s[i + 2] = __builtin_shufflevector(m[2 * i], m[2 * i + 1], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
  }
  for (int i = 0; i < 2; ++i) {
    m[2 * i] = __builtin_shufflevector(s[2 * i], s[2 * i + 1], 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    m[2 * i + 1] = __builtin_shufflevector(s[2 * i], s[2 * i + 1], 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
  }
}

#endif  // __CUDACC__

}  // namespace moreau::inline base
