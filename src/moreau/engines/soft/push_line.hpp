// What the contacts of a step give to bodies, in rows that a vector register holds: impulse and twist, - n x impulse, which the
// radius of a body makes a moment. In the plane (p_x, p_y, twist, 0), in space (p, 0, twist, 0).
#pragma once

#include "moreau/base/lanes.hpp"
#include "moreau/contact/detect.hpp"

namespace moreau::soft {

typedef double HalfLanes __attribute__((vector_size(32)));
typedef long long LaneBits __attribute__((vector_size(64)));
typedef long long HalfBits __attribute__((vector_size(32)));

inline constexpr long long sign_bit = static_cast<long long>(1ull << 63);

template <int D>
struct PushLayout;
template <>
struct PushLayout<2> {
  using Row = HalfLanes;
  using Bits = HalfBits;
  static constexpr int size = 4, twist = 2;
  static constexpr Bits impulse_signs = {sign_bit, sign_bit, 0, 0};
};
template <>
struct PushLayout<3> {
  using Row = Lanes;
  using Bits = LaneBits;
  static constexpr int size = 8, twist = 4;
  static constexpr Bits impulse_signs = {sign_bit, sign_bit, sign_bit, 0, 0, 0, 0, 0};
};

template <int D>
struct alignas(8 * PushLayout<D>::size) PushLine {
  double c[PushLayout<D>::size];
};

template <int D>
MOREAU_INLINE typename PushLayout<D>::Row row_of(const PushLine<D>& line) {
  typename PushLayout<D>::Row row;
  __builtin_memcpy(&row, line.c, sizeof(row));
  return row;
}
template <int D>
MOREAU_INLINE void write_row(PushLine<D>& line, const typename PushLayout<D>::Row& row) {
  __builtin_memcpy(line.c, &row, sizeof(row));
}
// From a row of eight; in the plane the last four are left out.
MOREAU_INLINE void put_row(PushLine<3>& to, const Lanes& row) { write_row<3>(to, row); }
MOREAU_INLINE void put_row(PushLine<2>& to, const Lanes& row) { write_row<2>(to, __builtin_shufflevector(row, row, 0, 1, 2, 3)); }
// What the second body of the contact gets: the opposite impulse, the same twist.
template <int D>
MOREAU_INLINE typename PushLayout<D>::Row turned_to_second(const typename PushLayout<D>::Row& row) {
  using Bits = typename PushLayout<D>::Bits;
  return reinterpret_cast<typename PushLayout<D>::Row>(reinterpret_cast<Bits>(row) ^ PushLayout<D>::impulse_signs);
}

// Numbers of eight lines, number by number: m[k][l] is number k of line l; in the plane the last four are 0.
template <int D>
MOREAU_INLINE void read_pushes(const PushLine<D>* lines, Lanes (&m)[lanes]) {
  for (int l = 0; l < lanes; ++l)
    if constexpr (D == 3)
      m[l] = row_of<D>(lines[l]);
    else {
      const HalfLanes half = row_of<D>(lines[l]);
      m[l] = __builtin_shufflevector(half, HalfLanes{}, 0, 1, 2, 3, 4, 5, 6, 7);
    }
  transpose(m);
}

// Rows of n contacts, in the order of the table, added to the sums of their bodies. The contacts of a first body follow one
// another.
void add_pushes(const FoundContact* found, const PushLine<2>* rows, std::size_t n, PushLine<2>* sums);
void add_pushes(const FoundContact* found, const PushLine<3>* rows, std::size_t n, PushLine<3>* sums);

// The same sum for one body: contacts in which it is the second, then those [first, last) in which it is the first.
void sum_pushes(const PushLine<2>* rows, const std::uint32_t* second, const std::uint32_t* second_end, std::size_t first,
                std::size_t last, PushLine<2>& sum);
void sum_pushes(const PushLine<3>* rows, const std::uint32_t* second, const std::uint32_t* second_end, std::size_t first,
                std::size_t last, PushLine<3>& sum);

}  // namespace moreau::soft
