// The order of the bodies along a space-filling curve (geometry/space_filling.hpp).
#pragma once

#include "moreau/gpu/card_rows.hpp"

namespace moreau::gpu {

template <int D>
struct Box {
  Vec<D> low, high;
  MOREAU_INLINE Box() {
    for (int d = 0; d < D; ++d) low[d] = HUGE_VAL, high[d] = -HUGE_VAL;
  }
  // Also with one that holds nothing.
  MOREAU_INLINE Box& operator+=(const Box& o) {
    for (int d = 0; d < D; ++d)
      low[d] = o.low[d] < low[d] ? o.low[d] : low[d], high[d] = high[d] < o.high[d] ? o.high[d] : high[d];
    return *this;
  }
};
template <int D>
struct MeasureBox {
  const Vec<D>* position;
  MOREAU_INLINE void operator()(std::size_t i, Box<D>& box) const {
    if (!is_finite(position[i])) return;
    Box<D> point;
    point.low = point.high = position[i];
    box += point;
  }
};

template <int D>
struct MortonKeys {
  static constexpr int bits = D == 2 ? 31 : 21;
  const Vec<D>* position;
  Vec<D> low;
  double scale;
  std::uint64_t* key;
  std::uint32_t* body;

  MOREAU_INLINE void operator()(std::size_t i) const {
    std::uint64_t k = 0;
    if (is_finite(position[i])) {
      std::uint64_t cell[D];
      for (int d = 0; d < D; ++d) cell[d] = static_cast<std::uint64_t>((position[i][d] - low[d]) * scale);
      for (int b = bits - 1; b >= 0; --b)
        for (int d = 0; d < D; ++d) k = (k << 1) | ((cell[d] >> b) & 1);
    }
    key[i] = k, body[i] = static_cast<std::uint32_t>(i);
  }
};

// Some of the positions, for the middle of the grid of cells.
template <int D>
struct Sampled {
  const Vec<D>* position;
  Vec<D>* to;
  std::size_t every;
  MOREAU_INLINE void operator()(std::size_t k) const { to[k] = position[k * every]; }
};

}  // namespace moreau::gpu
