// Eight pairs of body lines read at once, number by number.
#pragma once

#include "moreau/engines/soft/body_line.hpp"
#include "moreau/engines/soft/push_line.hpp"

namespace moreau::soft {

// Numbers [part, part + 8) of eight bodies: m[k][l] is number part + k of body index[l].
template <int D>
MOREAU_INLINE void read_lines(const BodyLine<D>* bodies, const std::int32_t (&index)[lanes], int part, Lanes (&m)[lanes]) {
  for (int l = 0; l < lanes; ++l) m[l] = load(bodies[index[l]].c + part);
  transpose(m);
}

template <int D>
struct EightBodies {
  Lanes part[LineLayout<D>::size / lanes][lanes];

  MOREAU_INLINE void read(const BodyLine<D>* bodies, const std::int32_t (&index)[lanes]) {
    for (int p = 0; p < LineLayout<D>::size / lanes; ++p) read_lines<D>(bodies, index, p * lanes, part[p]);
  }
  MOREAU_INLINE const Lanes& operator[](int k) const { return part[k / lanes][k % lanes]; }
};

// Two lines put together before anything is sorted by number: places, remainders and velocities of the first less those of the
// second, sums of rim speeds, radii and inverse masses, and the larger inverse radius.
template <int D>
MOREAU_INLINE Lanes together(const double* first, const double* second, int part) {
  using Layout = LineLayout<D>;
  constexpr long long s = sign_bit;
  const Lanes a = load(first + part), b = load(second + part);
  if constexpr (D == 2) {
    constexpr LaneBits signs = {s, s, 0, 0, s, s, s, s};
    static_assert(Layout::radius == 2 && Layout::rim == 3);
    return a + reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(b) ^ signs);
  } else {
    static_assert(Layout::radius == 3 && Layout::inverse_mass == 7 && Layout::velocity == 8 && Layout::rim == 11 &&
                  Layout::inverse_radius == 14);
    constexpr LaneBits places = {s, s, s, 0, s, s, s, 0}, speeds = {s, s, s, 0, 0, 0, 0, 0};
    const Lanes sum = a + reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(b) ^ (part == 0 ? places : speeds));
    if (part == 0) return sum;
    return __builtin_shufflevector(sum, a > b ? a : b, 0, 1, 2, 3, 4, 5, 14, 7);
  }
}

// The first four numbers of eight such pairs: m[k][l] is number k of pair l.
template <int D>
MOREAU_INLINE void read_places(const BodyLine<D>* bodies, const std::int32_t (&of_a)[lanes], const std::int32_t (&of_b)[lanes],
                               Lanes (&m)[4]) {
  constexpr long long s = sign_bit;
  constexpr HalfBits signs = D == 2 ? HalfBits{s, s, 0, 0} : HalfBits{s, s, s, 0};
  HalfLanes row[lanes];
  for (int l = 0; l < lanes; ++l) {
    HalfLanes a, b;
    __builtin_memcpy(&a, bodies[of_a[l]].c, sizeof(a)), __builtin_memcpy(&b, bodies[of_b[l]].c, sizeof(b));
    row[l] = a + reinterpret_cast<HalfLanes>(reinterpret_cast<HalfBits>(b) ^ signs);
  }
  Lanes two[4];  // rows k and k + 4
  for (int k = 0; k < 4; ++k) two[k] = __builtin_shufflevector(row[k], row[k + 4], 0, 1, 2, 3, 4, 5, 6, 7);
  const Lanes low = __builtin_shufflevector(two[0], two[1], 0, 8, 2, 10, 4, 12, 6, 14),
              high = __builtin_shufflevector(two[0], two[1], 1, 9, 3, 11, 5, 13, 7, 15),
              low_far = __builtin_shufflevector(two[2], two[3], 0, 8, 2, 10, 4, 12, 6, 14),
              high_far = __builtin_shufflevector(two[2], two[3], 1, 9, 3, 11, 5, 13, 7, 15);
  m[0] = __builtin_shufflevector(low, low_far, 0, 1, 8, 9, 4, 5, 12, 13);
  m[1] = __builtin_shufflevector(high, high_far, 0, 1, 8, 9, 4, 5, 12, 13);
  m[2] = __builtin_shufflevector(low, low_far, 2, 3, 10, 11, 6, 7, 14, 15);
  m[3] = __builtin_shufflevector(high, high_far, 2, 3, 10, 11, 6, 7, 14, 15);
}

template <int D>
struct EightPairs {
  Lanes part[LineLayout<D>::size / lanes][lanes];

  MOREAU_INLINE void read(const BodyLine<D>* bodies, const std::int32_t (&of_a)[lanes], const std::int32_t (&of_b)[lanes]) {
    constexpr int parts = LineLayout<D>::size / lanes;
    for (int l = 0; l < lanes; ++l) {
      const double *a = bodies[of_a[l]].c, *b = bodies[of_b[l]].c;
      for (int p = 0; p < parts; ++p) part[p][l] = together<D>(a, b, p * lanes);
    }
    for (int p = 0; p < parts; ++p) transpose(part[p]);
  }
  MOREAU_INLINE const Lanes& operator[](int k) const { return part[k / lanes][k % lanes]; }
};

}  // namespace moreau::soft
