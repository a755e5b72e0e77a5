// Contact Dynamics (Moreau, Jean): rigid bodies, impenetrability and Coulomb's law exact, implicit in velocity.
#pragma once

#include <functional>
#include <memory>

#include "moreau/engines/engine.hpp"
#include "moreau/engines/rigid/step_view.hpp"

namespace moreau::inline engines {

template <int D>
class CardSteps;

template <int D>
class RigidEngine : public Engine<D> {
 public:
  RigidEngine();
  ~RigidEngine() override;
  StepReport step(const Model<D>& model, State<D>& state) override;
  void forget() override;
  void bring_home(State<D>& state) override;
  void leave(State<D>& state) override;
  EngineMemory memory() const override;
  void inspect(StepInspector<D> inspector, InspectedSteps steps) override {
    inspector_ = std::move(inspector), inspected_ = std::move(steps);
  }
  // The state given to step() is the share of this rank; reports are those of all. Steps end by GhostsMissing where the share was
  // too small.
  void join(SharedStep<D>* together) { work_.together = together, work_.problem.join(together); }

 private:
  std::unique_ptr<CardSteps<D>> card_;  // steps on a graphics card
  Workspace<D> work_;
  StepInspector<D> inspector_;
  InspectedSteps inspected_;
};

}  // namespace moreau::inline engines
