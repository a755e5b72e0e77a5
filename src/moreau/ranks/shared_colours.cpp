#include "moreau/ranks/shared_colours.hpp"

#include <algorithm>
#include <bit>

namespace moreau::ranks {

namespace {

constexpr std::uint64_t nothing = ~std::uint64_t{0};

struct Waiting {
  std::uint64_t priority;
  std::uint32_t contact;
  friend bool operator<(const Waiting& x, const Waiting& y) {
    return x.priority != y.priority ? x.priority < y.priority : x.contact < y.contact;
  }
};

// What ranks tell each other of a body that several have.
struct Standing {
  std::uint64_t used, least;  // colours; the first of the contacts that wait, by priority
};

struct Counts {
  std::uint64_t waiting = 0, clashes = 0;
  Counts& operator+=(const Counts& o) { return waiting += o.waiting, clashes += o.clashes, *this; }
};
Counts sum(Communicator& ranks, Counts mine) {
  ranks.combine(&mine, sizeof mine, [](void* to, const void* from) { *static_cast<Counts*>(to) += *static_cast<const Counts*>(from); });
  return mine;
}

}  // namespace

std::optional<ColoursHere> complete_colours(Communicator& ranks, const Halo& halo, std::span<const std::uint32_t> slots,
                                            std::span<const Colouring::Contact> contacts, Colouring& colouring) {
  const std::uint32_t none = static_cast<std::uint32_t>(slots.size());
  std::vector<std::uint64_t>& used = colouring.used();  // by slot, by contacts anywhere
  std::vector<std::uint64_t> here(slots.size() + 1);    // by slot, by contacts here
  std::vector<std::uint64_t> least(slots.size() + 1);
  std::vector<std::uint8_t> shared(slots.size() + 1, 0), closed(slots.size() + 1);
  for (const Halo::Peer& peer : halo.peers)
    for (const auto* bodies : {&peer.mine, &peer.theirs})
      for (const std::uint32_t body : *bodies) shared[slots[body]] = 1;
  std::vector<Waiting> waiting;
  bool clash = false;
  // The least of those that wait at each shared body, and its colours, known to all that have it.
  const auto tell = [&] {
    std::fill(least.begin(), least.end(), nothing);
    for (const Waiting& w : waiting)
      for (const std::uint32_t slot : {contacts[w.contact].slot_a, contacts[w.contact].slot_b})
        least[slot] = std::min(least[slot], w.priority);
    used = here;
    const auto standing = [&](std::uint32_t body) { return Standing{used[slots[body]], least[slots[body]]}; };
    halo.to_owners<Standing>(ranks, standing, [&](std::uint32_t body, int, const Standing& there) {
      const std::uint32_t slot = slots[body];
      clash |= (used[slot] & there.used) != 0;
      used[slot] |= there.used, least[slot] = std::min(least[slot], there.least);
    });
    halo.to_ghosts<Standing>(ranks, standing, [&](std::uint32_t body, int, const Standing& there) {
      used[slots[body]] = there.used, least[slots[body]] = there.least;
    });
  };
  const auto collect = [&] {
    std::fill(here.begin(), here.end(), 0);
    waiting.clear(), clash = false;
    for (std::uint32_t i = 0; i < contacts.size(); ++i) {
      if (colouring.colour[i] >= Colouring::most) {
        waiting.push_back({contacts[i].identity, i});
        continue;
      }
      const std::uint64_t bit = std::uint64_t{1} << colouring.colour[i];
      for (const std::uint32_t slot : {contacts[i].slot_a, contacts[i].slot_b}) {
        if (slot == none) continue;
        clash |= (here[slot] & bit) != 0;
        here[slot] |= bit;
      }
    }
    tell();
    return sum(ranks, {waiting.size(), clash ? 1u : 0u});
  };
  Counts all = collect();
  if (all.clashes > 0) return std::nullopt;
  std::sort(waiting.begin(), waiting.end());
  std::vector<Waiting> later;
  while (all.waiting > 0) {
    std::fill(closed.begin(), closed.end(), 0);
    later.clear();
    for (const Waiting& w : waiting) {
      const auto [a, b, identity] = contacts[w.contact];
      const auto may = [&](std::uint32_t slot) {
        return slot == none || (!closed[slot] && (!shared[slot] || w.priority == least[slot]));
      };
      if (!may(a) || !may(b)) {
        closed[a] = closed[b] = 1, closed[none] = 0;
        later.push_back(w);
        continue;
      }
      const int lowest = std::countr_one(used[a] | (b == none ? 0 : used[b]));
      colouring.colour[w.contact] = static_cast<std::uint8_t>(lowest);
      for (const std::uint32_t slot : {a, b}) {
        if (slot == none || lowest == Colouring::most) continue;
        used[slot] |= std::uint64_t{1} << lowest, here[slot] |= std::uint64_t{1} << lowest;
        closed[slot] = shared[slot];  // what others have there is known only up to the first of those that wait
      }
    }
    waiting.swap(later);
    tell();
    all = sum(ranks, {waiting.size(), 0});
  }
  ColoursHere by_body{std::vector<std::uint64_t>(slots.size()), std::vector<std::uint8_t>(slots.size(), 0)};
  std::vector<std::uint8_t> overflow(slots.size() + 1, 0);
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (colouring.colour[i] == Colouring::most) overflow[contacts[i].slot_a] = overflow[contacts[i].slot_b] = 1;
  for (std::size_t i = 0; i < slots.size(); ++i) by_body.colours[i] = here[slots[i]], by_body.overflow[i] = overflow[slots[i]];
  return by_body;
}

}  // namespace moreau::ranks
