#include "moreau/course/progress.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/course/phases.hpp"

namespace moreau::inline course {

// Energies at rest fall exponentially as a rule, so their logarithm is what goes on evenly.
template <int D>
double ProgressMeter<D>::Falling::progress(double value, double bound) {
  if (value <= bound) return 1.0;
  if (!(bound > 0.0) || !std::isfinite(value)) return 0.0;
  if (!first || value > *first) first = value;
  return std::log(*first / value) / std::log(*first / bound);
}

template <int D>
ProgressMeter<D>::ProgressMeter(const Scene<D>& scene, const State<D>& state, std::optional<double> until)
    : scene_(scene), until_(until), begin_time_(state.time) {
  double known = 0.0, count = 0.0;
  for (const Phase<D>& phase : scene.phases)
    if (std::isfinite(phase.duration)) known += phase.duration, count += 1.0;
  for (const Phase<D>& phase : scene.phases) {
    weight_.push_back(std::isfinite(phase.duration) ? phase.duration : count > 0.0 ? known / count : 1.0);
    total_ += weight_.back();
  }
}

template <int D>
double ProgressMeter<D>::weight_before(std::uint64_t phase) const {
  double sum = 0.0;
  for (std::uint64_t p = 0; p < phase; ++p) sum += weight_[p];
  return sum;
}

// All conditions must hold, so the one that is furthest from it counts. Nothing if one is of a kind whose way cannot be seen.
template <int D>
std::optional<double> ProgressMeter<D>::conditions_met(const Phase<D>& phase, const State<D>& state, const StepReport& report) {
  const EndConditions& end = phase.end;
  if (!end.any() || end.greatest_energy || end.force_residual || end.moment_residual || end.no_monovalent) return std::nullopt;
  double least = 1.0;
  if (end.at_least > 0.0) least = std::min(least, (state.time - state.phase_start) / end.at_least);
  std::size_t free = 0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) free += state.bodies.is_free(i) ? 1 : 0;
  const double count = static_cast<double>(std::max<std::size_t>(1, free));
  if (end.bodies)
    least = std::min(least, static_cast<double>(free) / static_cast<double>(std::max<std::uint64_t>(1, *end.bodies)));
  if (end.travelled) least = std::min(least, state.travelled / *end.travelled);
  if (end.strain) least = std::min(least, reached_strain(phase, state) / *end.strain);
  if (end.kinetic_energy) least = std::min(least, kinetic_.progress(state.energy.kinetic / count, *end.kinetic_energy));
  if (end.unbalanced_force) least = std::min(least, unbalanced_.progress(report.unbalanced_force, *end.unbalanced_force));
  return std::clamp(least, 0.0, 1.0);
}

template <int D>
void ProgressMeter<D>::look(const State<D>& state, const StepReport& report) {
  const Phase<D>& phase = scene_.phases[state.phase];
  const bool begins = phase_ != state.phase;
  if (begins) phase_ = state.phase, kinetic_ = {}, unbalanced_ = {};
  std::optional<double> done = conditions_met(phase, state, report);  // of the phase
  if (std::isfinite(phase.duration))
    done = std::max(done.value_or(0.0), std::min(1.0, (state.time - state.phase_start) / phase.duration));
  if (begins) phase_begin_ = done.value_or(0.0);
  phase_fraction_.reset();
  if (done && phase_begin_ < 1.0) phase_fraction_ = std::max(0.0, (*done - phase_begin_) / (1.0 - phase_begin_));
  end_is_known_ =
      done.has_value() && std::all_of(scene_.phases.begin() + static_cast<std::ptrdiff_t>(state.phase) + 1, scene_.phases.end(),
                                      [](const Phase<D>& later) { return std::isfinite(later.duration); });
  const double now = weight_before(state.phase) + done.value_or(0.0) * weight_[state.phase];
  if (!begun_) begin_ = now, begun_ = true;
  double f = (now - begin_) / std::max(total_ - begin_, 1e-300);
  if (until_) f = std::max(f, (state.time - begin_time_) / (*until_ - begin_time_)), end_is_known_ = true;
  fraction_ = std::clamp(f, 0.0, 1.0);
}

template class ProgressMeter<2>;
template class ProgressMeter<3>;

}  // namespace moreau::inline course
