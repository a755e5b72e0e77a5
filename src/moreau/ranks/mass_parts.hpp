// Fast sweeps: each rank that pushes a shared body has a part of its mass (solver/partners.hpp), sweeps on its own, and then
// sends its velocity to the others that do. All of them go on with the mean, added in the order of the ranks: the same number
// everywhere.
#pragma once

#include "moreau/ranks/sweep_exchange.hpp"

namespace moreau::ranks {

class MassParts : public SweepExchange {
 public:
  // By slot: whether a part of the body is here, or all of it and nobody pushes it; and of how many parts it is one.
  std::vector<std::uint8_t> counted_here(std::size_t slots) const;
  std::vector<std::uint16_t> parts(std::size_t slots) const;

  void begin_sweep(Communicator&, const VelocityRows&, bool) override {}
  void before_colour(Communicator&, const VelocityRows&, std::size_t) override {}
  void after_colour(Communicator&, const VelocityRows&, std::size_t) override {}
  void before_overflow(Communicator&, const VelocityRows&) override {}
  void end_sweep(Communicator& ranks, const VelocityRows& rows) override;

 protected:
  void lay_ways(const std::vector<std::vector<Pusher>>& pushers) override;

 private:
  template <class Real>
  void take_means(Communicator& ranks, const VelocityRows& rows);

  std::vector<std::uint16_t> parts_;  // by body; 0: it is pushed elsewhere alone
  std::vector<std::uint32_t> split_;  // slots of the bodies of which a part is here
  std::vector<std::uint32_t> place_;  // in that list, by slot
  std::vector<Message> messages_;     // to and from each of the others, by rank
  std::vector<double> sums_;
};

}  // namespace moreau::ranks
