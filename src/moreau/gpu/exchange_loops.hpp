// Bodies that come and go between steps on a card (dynamics/exchange.hpp).
#pragma once

#include "moreau/drive/sink.hpp"
#include "moreau/gpu/atomic.hpp"
#include "moreau/gpu/card_rows.hpp"

namespace moreau::gpu {

// Free bodies in sinks, in any order.
template <int D>
struct FindCaught {
  BodyRows<D> bodies;
  const SinkRegion<D>* sink;
  std::size_t sinks;
  std::uint32_t *caught, *number;
  MOREAU_INLINE void operator()(std::size_t i) const {
    if (!bodies.is_free(i)) return;
    for (std::size_t k = 0; k < sinks; ++k) {
      if (!sink[k].contains(bodies.position[i])) continue;
      caught[next_number(number)] = static_cast<std::uint32_t>(i);
      return;
    }
  }
};
template <int D>
struct Remove {
  BodyRows<D> bodies;
  BodyKind* kind;
  const std::uint32_t* caught;
  MOREAU_INLINE void operator()(std::size_t k) const {
    const std::uint32_t i = caught[k];
    kind[i] = BodyKind::removed, bodies.velocity[i] = {}, bodies.spin[i] = {};
  }
};

// Bodies on which new ones may rest: those that are not free, and those with a loaded contact.
template <int D>
struct HoldOthers {
  BodyRows<D> bodies;
  std::uint8_t* held;
  MOREAU_INLINE void operator()(std::size_t i) const { held[i] = bodies.is_free(i) ? 0 : 1; }
};
template <int D>
struct HoldLoaded {
  ContactRows<D> contacts;
  std::uint8_t* held;
  MOREAU_INLINE void operator()(std::size_t i) const {
    if (contacts.impulse[i] == Vec<D>{}) return;
    held[contacts.a[i]] = 1;
    if (contacts.b[i] >= 0) held[contacts.b[i]] = 1;
  }
};

}  // namespace moreau::gpu
