// Contact Dynamics (Moreau, Jean): rigid bodies, impenetrability and Coulomb's law exact, implicit in velocity.
#pragma once

#include <functional>

#include "moreau/engines/engine.hpp"
#include "moreau/engines/rigid/step_view.hpp"
#include "moreau/gpu/device.hpp"

namespace moreau {

// Called in every step once it is solved, while the bodies still are where it began: the only moment for step_problem().
template <int D>
using StepInspector = std::function<void(const StepView<D>&, const Certificate&)>;

template <int D>
class RigidEngine : public Engine<D> {
 public:
  RigidEngine() : accelerator_(gpu::make_accelerator<D>()) { work_.problem.use(accelerator_.get()); }
  StepReport step(const Model<D>& model, State<D>& state) override;
  void forget() override { work_.neighbours.invalidate(); }
  EngineMemory memory() const override;
  void inspect(StepInspector<D> inspector) { inspector_ = std::move(inspector); }

 private:
  std::unique_ptr<Accelerator<D>> accelerator_;
  Workspace<D> work_;
  StepInspector<D> inspector_;
};

}  // namespace moreau
