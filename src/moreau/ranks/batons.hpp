// The ways of the velocities of shared bodies during sweeps (solver/partners.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "moreau/ranks/halo.hpp"
#include "moreau/ranks/shared_colours.hpp"
#include "moreau/solver/partners.hpp"

namespace moreau::ranks {

class Batons {
 public:
  // (all) `own` by body; slots by body. The overflow, all of it on one rank, counts as a colour after the last.
  void plan(Communicator& ranks, const Halo& halo, const ColoursHere& here, std::span<const std::uint8_t> own,
            std::span<const std::uint32_t> slots);
  // By slot: whether the baton rests here after a sweep.
  std::vector<std::uint8_t> kept_here(std::size_t slots) const;

  void begin_sweep(Communicator& ranks, const VelocityRows& rows, bool afresh);
  void before_colour(Communicator& ranks, const VelocityRows& rows, std::size_t colour);
  void after_colour(Communicator& ranks, const VelocityRows& rows, std::size_t colour);
  void before_overflow(Communicator& ranks, const VelocityRows& rows) {
    before_colour(ranks, rows, Colouring::most);
    ranks.finish_sends(), in_flight_.clear();
  }
  void publish(Communicator& ranks, const Halo& halo, const VelocityRows& rows) const;

 private:
  struct Message {
    int peer, tag;
    std::vector<std::uint32_t> slots;
  };
  // Adds a slot to the message of that peer and tag.
  static void add(std::vector<Message>& messages, int peer, int tag, std::uint32_t slot);
  void send(Communicator& ranks, const VelocityRows& rows, const Message& message);

  std::vector<std::uint32_t> slots_;                           // by body
  std::vector<int> keeper_;                                    // by body; of bodies that nobody shares: this rank
  std::vector<Message> first_sends_;                           // when a sweep begins
  std::vector<Message> sends_[Colouring::most];                // after a colour
  std::vector<Message> receives_[Colouring::most + 1];           // before a colour
  std::vector<Bytes> in_flight_;
  Bytes received_;
  bool afresh_ = false;
  int rank_ = 0;
};

}  // namespace moreau::ranks
