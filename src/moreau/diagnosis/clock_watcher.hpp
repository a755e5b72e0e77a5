// Makes CLP look at the clock: a program that runs out of time ends undecided.
#pragma once

#include <ClpEventHandler.hpp>

#include "moreau/solver/stopwatch.hpp"

namespace moreau::diagnosis {

class ClockWatcher : public ClpEventHandler {
 public:
  explicit ClockWatcher(const Stopwatch& watch) : watch_(watch) {}
  int event(Event) override { return ++calls_ % 16 == 0 && watch_.over() ? 5 : -1; }  // 5: CLP's status "stopped by event"
  ClpEventHandler* clone() const override { return new ClockWatcher(*this); }

 private:
  Stopwatch watch_;
  int calls_ = 0;
};

}  // namespace moreau::diagnosis
