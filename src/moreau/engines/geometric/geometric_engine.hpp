// The geometric method as an engine: a step takes the load of the model from the time when it begins to the time when it ends,
// through as many events as lie between (docs/quasi-static.md). Time is only the parameter of the load; mass plays no part.
#pragma once

#include <functional>

#include "moreau/engines/engine.hpp"
#include "moreau/engines/geometric/event.hpp"

namespace moreau::geometric {

// Called after every event with the time at which it happened.
template <int D>
using EventListener = std::function<void(const Event&, double time, const State<D>&)>;

template <int D>
class GeometricEngine : public Engine<D> {
 public:
  // A state that is no equilibrium of the method, or whose contacts do not touch, is first brought to one (statics/finish.hpp). A step is not converged when that
  // fails, or when the path cannot be followed; the state is then that of the last equilibrium.
  StepReport step(const Model<D>& model, State<D>& state) override;
  void forget() override {}

  void listen(EventListener<D> listener) { listener_ = std::move(listener); }

 private:
  EventListener<D> listener_;
};

}  // namespace moreau::geometric
