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
    constexpr LaneBits signs = {s, s, s, s, s, s, 0, 0};
    static_assert(Layout::rim == 6 && Layout::radius == 7);
    return a + reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(b) ^ signs);
  } else {
    static_assert(Layout::radius == 6 && Layout::inverse_mass == 7 && Layout::velocity == 8 && Layout::rim == 11 &&
                  Layout::inverse_radius == 14);
    constexpr LaneBits places = {s, s, s, s, s, s, 0, 0}, speeds = {s, s, s, 0, 0, 0, 0, 0};
    const Lanes sum = a + reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(b) ^ (part == 0 ? places : speeds));
    if (part == 0) return sum;
    return __builtin_shufflevector(sum, a > b ? a : b, 0, 1, 2, 3, 4, 5, 14, 7);
  }
}

template <int D>
MOREAU_INLINE void read_pairs(const BodyLine<D>* bodies, const std::int32_t (&of_a)[lanes], const std::int32_t (&of_b)[lanes],
                              int part, Lanes (&m)[lanes]) {
  for (int l = 0; l < lanes; ++l) m[l] = together<D>(bodies[of_a[l]].c, bodies[of_b[l]].c, part);
  transpose(m);
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
