#include "moreau/course/progress.hpp"

#include <algorithm>
#include <cmath>

namespace moreau {

template <int D>
ProgressMeter<D>::ProgressMeter(const Scene<D>& scene, const State<D>& state, std::optional<double> until) : until_(until) {
  double known = 0.0, count = 0.0;
  for (const Phase<D>& phase : scene.phases)
    if (std::isfinite(phase.duration)) known += phase.duration, count += 1.0;
  for (const Phase<D>& phase : scene.phases) {
    weight_.push_back(std::isfinite(phase.duration) ? phase.duration : count > 0.0 ? known / count : 1.0);
    limited_.push_back(std::isfinite(phase.duration));
    total_ += weight_.back();
  }
  begin_ = done(state), begin_time_ = state.time;
}

template <int D>
double ProgressMeter<D>::fraction(const State<D>& state) const {
  double f = (done(state) - begin_) / std::max(total_ - begin_, 1e-300);
  if (until_) f = std::max(f, (state.time - begin_time_) / (*until_ - begin_time_));
  return std::clamp(f, 0.0, 1.0);
}

template <int D>
double ProgressMeter<D>::done(const State<D>& state) const {
  double sum = 0.0;
  for (std::uint64_t p = 0; p < state.phase; ++p) sum += weight_[p];
  return limited_[state.phase] ? sum + std::min(state.time - state.phase_start, weight_[state.phase]) : sum;
}

template class ProgressMeter<2>;
template class ProgressMeter<3>;

}  // namespace moreau
