// The [[measure]] entries of a scene, taken while a course runs.
#pragma once

#include <vector>

#include "moreau/course/listener.hpp"
#include "moreau/measure/running_mean.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau::inline course {

// Some entry compares with the start of the run.
template <int D>
bool compares_with_start(const Scene<D>& scene);

template <int D>
class MeasureSampler {
 public:
  // `start` is the first instant of the run, needed if some entry compares (compares_with_start).
  MeasureSampler(const Scene<D>& scene, Frame<D> start);

  // To be called after every step; tells the listener those that are due at the time reached. An entry is due at the step nearest
  // to each multiple of its interval, which needs no memory of what was told: a resumed run samples as an uninterrupted one.
  // `references`: what entries that compare with their last sample or with the start of the phase compare with, in their order;
  // empty at the start. `averages`: those under way.
  // Whether the next sample asks for the arrays of the state.
  bool is_due(const Model<D>& model, double time) const;
  void sample(const Model<D>& model, const State<D>& state, const StepReport& report, std::vector<Frame<D>>& references,
              std::vector<measure::RunningMean>& averages, CourseListener<D>& listener);
  // A phase begins: means do not reach across, and what is compared with its start is compared with this instant.
  void begin_phase(const Model<D>& model, const State<D>& state, std::vector<Frame<D>>& references,
                   std::vector<measure::RunningMean>& averages);
  const Frame<D>& first() const { return start_; }

 private:
  const Scene<D>& scene_;
  Frame<D> start_;
  std::size_t compared_ = 0;                // entries that compare with their last sample or the start of the phase
  std::size_t averaged_ = 0;                // entries that average
  std::vector<std::int32_t> reference_of_;  // of every entry: index into the references, or one of the two below
  static constexpr std::int32_t none = -2, start = -1;
};

}  // namespace moreau::inline course
