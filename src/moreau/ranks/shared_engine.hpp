// The engine of rank 0, which makes its steps together with the others.
#pragma once

#include "moreau/ranks/member.hpp"

namespace moreau::ranks {

enum class Order : std::uint8_t { scene, begin, exchange, step, gather, report, end };

void give(Communicator& ranks, Order order, const Bytes& more = {});
Order take_order(Communicator& ranks, Bytes& more);

template <int D>
class SharedEngine : public Engine<D> {
 public:
  explicit SharedEngine(Communicator& ranks) : ranks_(ranks), member_(ranks) {}
  StepReport step(const Model<D>& model, State<D>& state) override;
  void bring_home(State<D>& state) override;
  void leave(State<D>& state) override { bring_home(state), begun_ = false; }
  void forget() override { begun_ = false; }
  void inspect(StepInspector<D> inspector, InspectedSteps steps) override {
    inspected_ = steps;
    alone_.inspect(std::move(inspector), std::move(steps));
  }
  // An order was given and not carried out to its end: the others cannot be reached any more.
  static bool is_broken() { return broken_; }

 private:
  void exchange(const Model<D>& model, State<D>& state, StepReport& report);  // with sources and sinks

  static inline bool broken_ = false;
  Communicator& ranks_;
  Member<D> member_;
  RigidEngine<D> alone_;  // for steps that somebody looks into
  InspectedSteps inspected_;
  bool begun_ = false, whole_ = true;
};

}  // namespace moreau::ranks
