// The ways of the velocities of bodies that several ranks push, during sweeps (solver/partners.hpp): as batons (batons.hpp), or
// as means of parts (mass_parts.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "moreau/ranks/halo.hpp"
#include "moreau/ranks/shared_colours.hpp"
#include "moreau/solver/partners.hpp"

namespace moreau::ranks {

class SweepExchange {
 public:
  virtual ~SweepExchange() = default;

  // (all) `own` by body; slots by body.
  void plan(Communicator& ranks, const Halo& halo, const ColoursHere& here, std::span<const std::uint8_t> own,
            std::span<const std::uint32_t> slots);
  // By slot: whether this rank speaks for the body after a sweep.
  std::vector<std::uint8_t> kept_here(std::size_t slots) const;
  // (all) From the keepers to the owners, where these are others, and from there to all ghosts.
  void publish(Communicator& ranks, const Halo& halo, const VelocityRows& rows) const;

  virtual void begin_sweep(Communicator& ranks, const VelocityRows& rows, bool afresh) = 0;
  virtual void before_colour(Communicator& ranks, const VelocityRows& rows, std::size_t colour) = 0;
  virtual void after_colour(Communicator& ranks, const VelocityRows& rows, std::size_t colour) = 0;
  virtual void before_overflow(Communicator& ranks, const VelocityRows& rows) = 0;
  virtual void end_sweep(Communicator& ranks, const VelocityRows& rows) = 0;

 protected:
  // The contacts that a rank has with a body, by their colours.
  struct Pusher {
    int rank;
    bool overflow;
    std::uint64_t colours;
  };
  // Bodies, by their slots, whose velocities go to or come from a peer in one message.
  struct Message {
    int peer, tag;
    std::vector<std::uint32_t> slots;
  };
  // Adds a slot to the message of that peer and tag.
  static void add(std::vector<Message>& messages, int peer, int tag, std::uint32_t slot);
  static Bytes written(const VelocityRows& rows, const Message& message);

  // By body, on all ranks that have it the same: those that push it, its owner first. Finds the ways and the keepers.
  virtual void lay_ways(const std::vector<std::vector<Pusher>>& pushers) = 0;

  std::vector<std::uint32_t> slots_;  // by body
  std::vector<int> keeper_;           // by body; of bodies that nobody pushes: the owner
  int rank_ = 0;

 private:
  std::vector<std::vector<Pusher>> pushers_of(Communicator& ranks, const Halo& halo, const ColoursHere& here,
                                              std::span<const std::uint8_t> own);
};

}  // namespace moreau::ranks
