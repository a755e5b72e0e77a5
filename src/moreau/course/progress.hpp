// How much of the way of a course is done.
#pragma once

#include <optional>
#include <vector>

#include "moreau/dynamics/report.hpp"
#include "moreau/dynamics/state.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau::inline course {

// By time where the end is known; in a phase that ends by conditions, by the condition that is furthest from its end: the share
// of the strain or the path, or how far the logarithm of an energy has fallen. A phase of unknown duration counts as much as the
// mean of the others.
template <int D>
class ProgressMeter {
 public:
  ProgressMeter(const Scene<D>& scene, const State<D>& state, std::optional<double> until);
  // After every step; `report` is that of the step.
  void look(const State<D>& state, const StepReport& report);
  double fraction() const { return fraction_; }  // since the meter was made, 0 to 1
  // What is done of the present phase since the meter was made or the phase began; nothing if that cannot be told.
  std::optional<double> phase_fraction() const { return phase_fraction_; }
  // The phases to come have durations, so that the fraction of the whole means something.
  bool end_is_known() const { return end_is_known_; }

 private:
  struct Falling {
    std::optional<double> first;  // value when it was first looked at
    double progress(double value, double bound);
  };
  std::optional<double> conditions_met(const Phase<D>& phase, const State<D>& state, const StepReport& report);
  double weight_before(std::uint64_t phase) const;

  const Scene<D>& scene_;
  std::optional<double> until_;
  std::vector<double> weight_;
  double total_ = 0.0, begin_ = 0.0, begin_time_ = 0.0;
  std::uint64_t phase_ = ~std::uint64_t{0};
  double phase_begin_ = 0.0;  // what of the phase was done when it was first looked at
  Falling kinetic_, unbalanced_;
  double fraction_ = 0.0;
  std::optional<double> phase_fraction_;
  bool end_is_known_ = false, begun_ = false;
};

}  // namespace moreau::inline course
