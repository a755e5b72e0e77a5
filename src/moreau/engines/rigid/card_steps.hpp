// Steps of the rigid engine on a graphics card (gpu/resident.hpp): which of them can be made there, and where the state is.
#pragma once

#include <memory>
#include <string>

#include "moreau/dynamics/report.hpp"
#include "moreau/dynamics/stage_clock.hpp"
#include "moreau/engines/rigid/workspace.hpp"
#include "moreau/gpu/resident.hpp"

namespace moreau::inline engines {

// What keeps the steps of a model from being made on a card, in words that follow "the scene has"; empty: nothing.
template <int D>
std::string what_keeps_steps_here(const Model<D>& model, const Bodies<D>& bodies);
// And what keeps even the sweeps of steps that are made here from being made there.
template <int D>
std::string what_no_card_takes(const Model<D>& model, const Bodies<D>& bodies);

template <int D>
class CardSteps {
 public:
  // `card` may be null: then no step is made there.
  explicit CardSteps(std::unique_ptr<gpu::Resident<D>> card) : card_(std::move(card)) {}

  // For the sweeps of steps whose other stages are made here.
  Accelerator<D>* accelerator() { return card_ ? &card_->sweeps() : nullptr; }

  // The step, if it can be made there. After it the arrays of the state (of the bodies that move, of the contacts, and their
  // order) are there, until bring_home(). Else nothing has happened but what leave() brings back. report.on_card says so.
  bool step(const Model<D>& model, State<D>& state, Workspace<D>& work, StepReport& report);
  void bring_home(State<D>& state);  // it stays there too
  void leave(State<D>& state) { bring_home(state), forget(); }
  // The state has changed here: what is there is not that of now.
  void forget() { known_ = false, ahead_ = false; }

  // Whether the state of now is there; then bodies come and go there too. Whether some did.
  bool holds_state() const { return known_; }
  bool exchange(const Model<D>& model, State<D>& state, StepReport& report);

 private:
  bool takes(const Model<D>& model, const State<D>& state) const;
  bool attempt(const Model<D>& model, State<D>& state, Workspace<D>& work, StepReport& report, StageClock& watch);
  void put(State<D>& state);
  void follow_gradient(State<D>& state, Workspace<D>& work, const Matrix<D>& change, bool at_midpoint);
  gpu::BodyTotals account(const Model<D>& model, State<D>& state, const Workspace<D>& work, StepReport& report);

  std::unique_ptr<gpu::Resident<D>> card_;
  bool known_ = false;                      // the state of now is there
  bool ahead_ = false;                      // and not here
  std::size_t contacts_ = 0;                // of the last step there
  std::uint64_t rests_ = 0, failures_ = 0;  // steps left to the processor after one that was not finished there, and how often
  double mean_radius_ = 0.0;
};

}  // namespace moreau::inline engines
