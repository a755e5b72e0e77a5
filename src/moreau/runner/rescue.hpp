// What a run falls back to when a step or a write fails: the last state for which everything was written.
//
// Copying the state before every step would cost too much. A copy is kept now and then, and the steps from there to the one
// before the failure are made again, which gives the same bits (docs/determinism.md).
#pragma once

#include <chrono>

#include "moreau/course/course.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau::inline runner {

template <int D>
class Rescue {
 public:
  // To be called where all that belongs to the last step is written.
  void keep(const Course<D>& course);
  // Keeps if it is time to, or if the steps from what is kept would no longer lead here: in a new phase, or after a sample with
  // which later ones are compared.
  void keep_if_due(const Course<D>& course);
  // To be called before a step.
  void note(const Course<D>& course) { step_ = course.state().step, record_ = course.record(); }

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
  CourseRecord record_;     // and what was known then
};

}  // namespace moreau::inline runner
