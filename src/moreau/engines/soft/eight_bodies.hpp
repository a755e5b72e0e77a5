// Eight body lines read at once, number by number.
#pragma once

#include "moreau/engines/soft/body_line.hpp"

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

}  // namespace moreau::soft
