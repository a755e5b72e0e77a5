// An engine takes a model and its state one step further. All share bodies, neighbours, contacts, walls, pistons, cells, drives
// and measures; a force is stored as impulse = force x h, so that every measure and picture works for every engine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/report.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::inline engines {

struct EngineMemory {
  std::size_t body_bytes = 0, contact_bytes = 0;  // held beside the state
};

template <int D>
struct StepView;
// Called in steps of the rigid engine once they are solved, while the bodies still are where the step began: the only moment for
// step_problem().
template <int D>
using StepInspector = std::function<void(const StepView<D>&, const Certificate&)>;
// The numbers of the steps that it asks for by all means: they are made by the processor, of one rank alone.
using InspectedSteps = std::function<bool(std::uint64_t step)>;

template <int D>
class Engine {
 public:
  virtual ~Engine() = default;
  // What an engine remembers between steps beside the state influences nothing: one made anew gives the same bits.
  virtual StepReport step(const Model<D>& model, State<D>& state) = 0;
  // Bodies were moved, or laws changed, from outside.
  virtual void forget() = 0;
  // The arrays of the state that its steps have left elsewhere, on a graphics card or with other ranks, are brought here; with
  // leave() for good, since they are to be changed.
  virtual void bring_home(State<D>&) {}
  virtual void leave(State<D>&) {}
  // `steps`: null: none by all means; a step without bounded solution is shown too, unless several ranks make it.
  virtual void inspect(StepInspector<D>, InspectedSteps) {}
  virtual EngineMemory memory() const { return {}; }
};

// The engine that a model names.
template <int D>
std::unique_ptr<Engine<D>> make_engine(EngineKind kind);

// From here on rigid engines are made by this function; null: as usual.
template <int D>
void make_rigid_engines_by(std::unique_ptr<Engine<D>> (*make)());

}  // namespace moreau::inline engines
