// Several processes (ranks) that solve the problem of a step together (docs/scaling.md). Each has bodies of its own, copies of
// those near them (ghosts), and the contacts whose first body is its own. Null, where one is expected: one process has
// everything.
//
// The velocity of a body that several ranks push is a baton: whoever relaxed the body last hands it to the rank that relaxes it
// next, in the order of the colours. After a sweep it rests with the rank of the last colour, its keeper, which is the one that
// counts the body in sums; then every sum has each body and each contact once, and sums do not depend on their order
// (base/exact_sum.hpp).
//
// In the fast way (SolverSettings::ranks) ranks sweep on their own instead: each that pushes the body has a part of its mass, one
// k-th of it for k ranks, and after the sweep all of them go on with the mean of their velocities (mass_splitting.hpp says why that
// converges, and to the same solution). The parts are counted where they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "moreau/solver/colouring.hpp"
#include "moreau/solver/completion.hpp"
#include "moreau/solver/step_system.hpp"

namespace moreau::inline solver {

// The velocities of the bodies of an iterate, by slot: `bytes` of them every `stride` bytes.
struct VelocityRows {
  std::byte* first;
  std::size_t stride, bytes;
  std::size_t number = sizeof(double);  // bytes of one number
  std::byte* of(std::uint32_t slot) const { return first + stride * slot; }
};

template <int D>
class Partners {
 public:
  virtual ~Partners() = default;

  // By the number of a body here: its number in the whole, and whether it is no ghost.
  std::span<const std::int32_t> names() const { return names_; }
  std::span<const std::uint8_t> own() const { return own_; }

  // The sum of what all ranks have, the same on all.
  template <class T>
  T sum(T mine) const {
    static_assert(std::is_trivially_copyable_v<T>);
    combine(&mine, sizeof(T), [](void* to, const void* from) { *static_cast<T*>(to) += *static_cast<const T*>(from); });
    return mine;
  }

  // As Colouring::complete, for the contacts of all ranks; `slots` by body, one more slot for obstacles. What each rank has is
  // known to the others afterwards, so that batons find their way until the next call.
  template <class ContactOf>
  void colour(Colouring& colouring, std::size_t contacts, ContactOf&& contact, std::span<const std::uint32_t> slots) {
    std::vector<Colouring::Contact> all(contacts);
    for (std::size_t i = 0; i < contacts; ++i) all[i] = contact(i);
    const bool kept = colour_all(colouring, all, slots);
    if (kept) return;
    // Kept colours did not fit each other, and identities were not asked for.
    std::fill(colouring.colour.begin(), colouring.colour.end(), Colouring::not_yet);
    for (std::size_t i = 0; i < contacts; ++i) all[i] = contact(i);
    colour_all(colouring, all, slots);
  }
  // After colour(). Whether a body is counted here, or the part of its mass that is here; among how many ranks it is split; whether
  // this one speaks for it where each body is to be counted once.
  bool counts(std::size_t slot) const { return counted_[slot] != 0; }
  int parts(std::size_t slot) const { return parts_.empty() ? 1 : parts_[slot]; }
  bool keeps(std::size_t slot) const { return kept_[slot] != 0; }

  // A sweep: batons go from their keepers to the ranks of the first colour, or begin there (`afresh`: the velocities are those
  // without contacts, which every rank knows), and from colour to colour.
  virtual void begin_sweep(const VelocityRows& rows, bool afresh) = 0;
  virtual void before_colour(const VelocityRows& rows, std::size_t colour) = 0;
  virtual void after_colour(const VelocityRows& rows, std::size_t colour) = 0;
  virtual void before_overflow(const VelocityRows& rows) = 0;  // and after the last colour
  virtual void end_sweep(const VelocityRows& rows) = 0;        // after the overflow
  // From their keepers to all who have the bodies.
  virtual void publish(const VelocityRows& rows) = 0;

  // complete() of the system of all ranks, on one of them; the contacts given come back finished, then their couples, where
  // something was finished. The worst body by its name.
  virtual Completion complete(const SystemPart<D>& part, const CompletionTask& task, std::vector<StepContact<D>>& finished) = 0;

 protected:
  // False, on all ranks, where colours that were kept do not fit each other.
  virtual bool colour_all(Colouring& colouring, std::span<const Colouring::Contact> contacts,
                          std::span<const std::uint32_t> slots) = 0;
  virtual void combine(void* mine, std::size_t bytes, void (*add)(void* to, const void* from)) const = 0;

  std::vector<std::int32_t> names_;
  std::vector<std::uint8_t> own_;
  std::vector<std::uint8_t> counted_, kept_;  // by slot
  std::vector<std::uint16_t> parts_;           // likewise; empty: masses are whole
};

// Numbers that all ranks must agree on.
struct Count {
  std::size_t value = 0;
  Count& operator+=(const Count& o) { return value += o.value, *this; }
};
template <class T>
struct Largest {
  T value;
  Largest& operator+=(const Largest& o) { return value = value < o.value ? o.value : value, *this; }
};

}  // namespace moreau::inline solver
