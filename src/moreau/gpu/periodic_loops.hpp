// The points among which pairs are searched in periodic space: the bodies inside the cell, and copies of them beside it.
#pragma once

#include "moreau/gpu/search_loops.hpp"

namespace moreau::gpu {

// Each body inside the cell; `home`: the image of itself that is there.
template <int D>
struct FoldBodies {
  BodyRows<D> bodies;
  PeriodicSpace<D> space;
  Vec<D>* at;
  Image* home;
  std::uint32_t* body;
  std::uint8_t* copy;
  MOREAU_INLINE void operator()(std::size_t i) const {
    const Vec<D> x = bodies.middle[i], inside = space.numbers(x);
    Vec<D> back{};
    Image image = 0;
    for (int d = 0; d < D; ++d) {
      if (!space.lattice.periodic[d] || !(inside[d] * inside[d] < 1e12)) continue;  // one that is nowhere stays there
      std::int64_t cells = static_cast<std::int64_t>(inside[d]);
      if (static_cast<double>(cells) > inside[d]) --cells;
      back[d] = -static_cast<double>(cells), image -= cells * space.step[d];
    }
    at[i] = x + space.basis * back, home[i] = image;
    body[i] = static_cast<std::uint32_t>(i), copy[i] = static_cast<std::uint8_t>(space.itself());
  }
};

// Copies of a body that others inside the cell may reach.
template <int D>
struct CopyBodies {
  BodyRows<D> bodies;
  PeriodicSpace<D> space;
  Motions<D> motions;
  Ahead<D> ahead;
  double largest;  // reach
  Vec<D>* at;
  std::uint32_t* body;
  std::uint8_t* copy;
  std::uint32_t* count;  // of copies, also of those beyond `room`
  std::uint32_t first, room;

  MOREAU_INLINE void operator()(std::size_t i) const {
    if (bodies.kind[i] == BodyKind::removed) return;
    const double far = wider * (reach_of(bodies, motions, ahead, i) + largest);
    for (int c = 0; c < space.copies; ++c) {
      if (c == space.itself()) continue;
      Vec<D> away;
      for (int d = 0; d < D; ++d) away[d] = static_cast<double>(space.away[c][d]);
      const Vec<D> x = at[i] + space.basis * away, inside = space.numbers(x);
      bool near = true;
      for (int d = 0; d < D; ++d) {
        const double margin = far / space.width[d];
        if (space.lattice.periodic[d] && !(inside[d] >= -margin && inside[d] <= 1.0 + margin)) near = false;
      }
      if (!near) continue;
      const std::uint32_t k = next_number(count);
      if (k >= room) continue;
      at[first + k] = x, body[first + k] = static_cast<std::uint32_t>(i), copy[first + k] = static_cast<std::uint8_t>(c);
    }
  }
};

}  // namespace moreau::gpu
