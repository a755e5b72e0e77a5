// Velocities of shared bodies handed from rank to rank in the order of the colours, as one process has them: exact sweeps. The
// overflow, all of it on one rank, counts as a colour after the last.
#pragma once

#include "moreau/ranks/sweep_exchange.hpp"

namespace moreau::ranks {

class Batons : public SweepExchange {
 public:
  void begin_sweep(Communicator& ranks, const VelocityRows& rows, bool afresh) override;
  void before_colour(Communicator& ranks, const VelocityRows& rows, std::size_t colour) override;
  void after_colour(Communicator& ranks, const VelocityRows& rows, std::size_t colour) override;
  void before_overflow(Communicator& ranks, const VelocityRows& rows) override {
    before_colour(ranks, rows, Colouring::most);
    ranks.finish_sends(), in_flight_.clear();
  }
  void end_sweep(Communicator&, const VelocityRows&) override {}

 protected:
  void lay_ways(const std::vector<std::vector<Pusher>>& pushers) override;

 private:
  void send(Communicator& ranks, const VelocityRows& rows, const Message& message);

  std::vector<Message> first_sends_;                    // when a sweep begins
  std::vector<Message> sends_[Colouring::most];         // after a colour
  std::vector<Message> receives_[Colouring::most + 1];  // before a colour
  std::vector<Bytes> in_flight_;
  Bytes received_;
  bool afresh_ = false;
};

}  // namespace moreau::ranks
