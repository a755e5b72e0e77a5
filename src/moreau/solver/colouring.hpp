// Colours of contacts: no two contacts of a colour share a free body, so that contacts of a colour may be relaxed in any order,
// on any number of threads.
//
// A contact keeps its colour from step to step, as it keeps its impulse; colours are therefore part of the state. New contacts
// are coloured one after the other in the order of a hash of what they are (their bodies, image and feature), each with the
// lowest colour that neither of its bodies has. That order does not depend on who computes it, nor on where bodies lie in memory:
// the parallel algorithm of Jones and Plassmann (1993) with that priority gives the same colours. What finds no colour below
// `most` goes to the overflow and is coloured anew in the next step.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "moreau/base/inline.hpp"
#include "moreau/base/parallel.hpp"

namespace moreau::inline solver {

class Colouring {
 public:
  static constexpr std::uint8_t most = 64;       // one bit each in `used`; also the colour of the overflow
  static constexpr std::uint8_t not_yet = 0xff;  // of contacts that were not there before

  // The bodies of a contact by their slots, the second beyond all free bodies for an obstacle; `identity` is looked at only where
  // the contact has no colour yet.
  struct Contact {
    std::uint32_t slot_a, slot_b;
    std::uint64_t identity;
  };

  // Before: colour[i] of every contact is what it was, or not_yet. contact(i) describes it; called from several threads. After:
  // all have a colour or are in the overflow, and used()[slot] has the bits of the colours at a body; `slots` counts them, with
  // one for obstacles.
  template <class ContactOf>
  void complete(std::size_t slots, std::size_t contacts, ContactOf&& contact);

  std::vector<std::uint8_t> colour;  // by contact
  std::vector<std::uint64_t>& used() { return used_; }
  const std::vector<std::uint64_t>& used() const { return used_; }
  std::size_t newly_coloured() const { return new_.size(); }

 private:
  struct New {
    std::uint64_t priority;
    std::uint32_t contact, slot_a, slot_b;
    friend bool operator<(const New& x, const New& y) {
      return x.priority != y.priority ? x.priority < y.priority : x.contact < y.contact;
    }
  };
  void colour_new(std::size_t none);

  std::vector<std::uint64_t> used_;
  std::vector<New> new_;
};

// Mixes all bits of a number into all bits of the result (the finaliser of splitmix64).
MOREAU_INLINE std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 30, x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27, x *= 0x94d049bb133111eb;
  return x ^ x >> 31;
}

template <class ContactOf>
void Colouring::complete(std::size_t slots, std::size_t contacts, ContactOf&& contact) {
  constexpr std::size_t chunk = 4096;
  const std::size_t none = slots - 1;
  std::vector<std::vector<New>> found(chunk_count(contacts, chunk));
  const bool alone = one_thread_only();
  const auto put = [alone](std::uint64_t& word, std::uint64_t bit) {  // returns what was there
    if (!alone) return std::atomic_ref(word).fetch_or(bit, std::memory_order_relaxed);
    const std::uint64_t before = word;
    word |= bit;
    return before;
  };
  // Colours that were kept. They fit each other unless a body has become free since: then all contacts are coloured anew.
  const auto collect = [&] {
    used_.assign(slots, 0);
    std::atomic<bool> clash{false};
    for_chunks(contacts, chunk, [&](std::size_t k, std::size_t begin, std::size_t end) {
      found[k].clear();
      for (std::size_t i = begin; i < end; ++i) {
        const Contact c = contact(i);
        if (colour[i] >= most) {
          found[k].push_back({c.identity, static_cast<std::uint32_t>(i), c.slot_a, c.slot_b});
          continue;
        }
        const std::uint64_t bit = std::uint64_t{1} << colour[i];
        std::uint64_t before = put(used_[c.slot_a], bit);
        if (c.slot_b != none) before |= put(used_[c.slot_b], bit);
        if (before & bit) clash.store(true, std::memory_order_relaxed);
      }
    });
    return !clash.load();
  };
  if (!collect()) {
    std::fill(colour.begin(), colour.end(), not_yet);
    collect();
  }
  new_.clear();
  for (const std::vector<New>& part : found) new_.insert(new_.end(), part.begin(), part.end());
  colour_new(none);
}

}  // namespace moreau::inline solver
