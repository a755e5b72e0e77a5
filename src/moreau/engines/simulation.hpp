// A model and its state, and the engine that takes one to the next.
#pragma once

#include <memory>

#include "moreau/dynamics/contact_records.hpp"
#include "moreau/engines/engine.hpp"
#include "moreau/engines/geometric/geometric_engine.hpp"
#include "moreau/engines/rigid/rigid_engine.hpp"

namespace moreau::inline engines {

template <int D>
class Simulation {
 public:
  // `seed` starts the random streams of the sources.
  Simulation(Model<D> model, Bodies<D> bodies, std::uint64_t seed = 0);
  // Continue from a checkpoint: bit-identical to the run that wrote it.
  Simulation(Model<D> model, State<D> state);

  StepReport step();

  const Model<D>& model() const { return model_; }
  // The state of now. Where steps are made on a graphics card its arrays are fetched: whoever asks in every step for less than
  // bodies and contacts, asks for present().
  const State<D>& state() const {
    if (engine_) engine_->bring_home(state_);
    return state_;
  }
  // The state of now but for positions, orientations, velocities and spins of the bodies, their order and the contacts, which may
  // be older.
  const State<D>& present() const { return state_; }

  // For experiments that act between steps (imposed impulses, changed velocities). Call `changed_by_hand()` after moving bodies by
  // hand or changing laws.
  State<D>& mutable_state() {
    if (engine_) engine_->leave(state_);
    return state_;
  }
  Model<D>& mutable_model() { return model_; }
  void changed_by_hand();

  // Steps of the rigid engine; of others nothing is seen.
  using Inspector = StepInspector<D>;
  void inspect(StepInspector<D> inspector, InspectedSteps steps = [](std::uint64_t) { return true; });

  // Events of the quasi-static engine.
  void listen(geometric::EventListener<D> listener);

  // The contacts of the last step as users see them.
  ContactRecords<D> contact_records() const { return moreau::contact_records(model_, state()); }

  // Bytes held per body and per contact by state, neighbour lists and solver, for the benchmarks.
  EngineMemory memory() const;

 private:
  Engine<D>& engine();
  void introduce();  // inspector and listener to the engine that is there

  Model<D> model_;
  mutable State<D> state_;  // what others see of it does not depend on where it is
  EngineKind kind_{};
  std::unique_ptr<Engine<D>> engine_;  // of that kind; made when first needed
  StepInspector<D> inspector_;
  InspectedSteps inspected_;
  geometric::EventListener<D> listener_;
};

}  // namespace moreau::inline engines
