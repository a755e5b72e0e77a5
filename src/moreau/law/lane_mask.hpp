// Yes (all bits) or no for each of several contacts.
#pragma once

#include "moreau/base/lanes.hpp"

namespace moreau::inline law {

MOREAU_INLINE bool any(bool yes) { return yes; }
MOREAU_INLINE bool no(bool yes) { return !yes; }  // those for which it is not so

template <class Number>
using MaskOf = decltype(Number{} < Number{});
// The type of one of the numbers.
template <class Number>
struct RealIn {
  using Type = Number;
};

#ifndef __CUDACC__

template <>
struct RealIn<Lanes> {
  using Type = double;
};
template <>
struct RealIn<SingleLanes> {
  using Type = float;
};
template <class Real>
using LaneMaskOf = MaskOf<LanesOf<Real>>;
using LaneMask = LaneMaskOf<double>;

template <class Mask>
requires(sizeof(Mask) == lane_bytes) MOREAU_INLINE Mask no(const Mask& m) { return ~m; }

// By halves, in registers: lane by lane the mask would be written to memory and read back.
template <class Mask>
requires(sizeof(Mask) == lane_bytes) MOREAU_INLINE bool any(const Mask& m) {
  typedef long long Words __attribute__((vector_size(lane_bytes)));
  const Words all = reinterpret_cast<const Words&>(m);
  const auto half = __builtin_shufflevector(all, all, 0, 1, 2, 3) | __builtin_shufflevector(all, all, 4, 5, 6, 7);
  const auto quarter = __builtin_shufflevector(half, half, 0, 1) | __builtin_shufflevector(half, half, 2, 3);
  return (quarter[0] | quarter[1]) != 0;
}

#endif

}  // namespace moreau::inline law
