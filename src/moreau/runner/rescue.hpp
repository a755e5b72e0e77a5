// What a run falls back to when a step or a write fails: the last state for which everything was written.
//
// Copying the state before every step would cost too much. A copy is kept now and then, and the steps from there to the one
// before the failure are made again, which gives the same bits (docs/determinism.md).
#pragma once

#include <chrono>

#include "moreau/dynamics/simulation.hpp"
#include "moreau/scene/scene.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau {

// What a run knows of itself besides its state.
struct Course {
  StepReport report;  // of the last step
  RunTotals totals;
  Warnings warnings;  // said so far
  EnergyWatch energy_watch;
  std::uint64_t frames = 0;  // written so far
  double next_frame = 0.0, next_series = 0.0;
};

template <int D>
Course course_of(const Checkpoint<D>& checkpoint) {
  return {checkpoint.report, checkpoint.totals,     checkpoint.warnings,   checkpoint.energy_watch,
          checkpoint.frames, checkpoint.next_frame, checkpoint.next_series};
}

template <int D>
class Rescue {
 public:
  // To be called where all that belongs to the last step is written.
  void keep(const Simulation<D>& simulation, const Course& course, const std::vector<Frame<D>>& references);
  // Keeps if it is time to, or if the steps from what is kept would no longer lead here: in a new phase, or after a sample with
  // which later ones are compared.
  void keep_if_due(const Simulation<D>& simulation, const Course& course, const std::vector<Frame<D>>& references);
  // To be called before a step.
  void note(const Simulation<D>& simulation, const Course& course) { step_ = simulation.state().step, course_ = course; }

  bool any() const { return any_; }
  const Checkpoint<D>& kept() const { return kept_; }
  // Makes the steps from what is kept to the last one noted; that is then what is kept.
  void catch_up(const Scene<D>& scene, int threads);

 private:
  using Clock = std::chrono::steady_clock;
  bool any_ = false;
  Checkpoint<D> kept_;
  Clock::time_point when_;
  double seconds_ = 0.0;    // that the last copy took
  std::uint64_t step_ = 0;  // of the state before the step that is being made
  Course course_;           // and what was known then
};

}  // namespace moreau
