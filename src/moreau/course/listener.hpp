// Who wants to know what happens in a course: storage, a progress line, a script. Called between steps, in the order of events.
#pragma once

#include <cstdint>
#include <string>

#include "moreau/dynamics/frame.hpp"
#include "moreau/dynamics/report.hpp"
#include "moreau/dynamics/warning.hpp"
#include "moreau/measure/quantity.hpp"

namespace moreau::inline course {

template <int D>
class CourseListener {
 public:
  virtual ~CourseListener() = default;
  // A row of the series is due.
  virtual void row(const StepReport&) {}
  // Frame number `number` is due: at the start, at every interval, at the end of every phase.
  virtual void frame(std::uint64_t /*number*/, const Frame<D>&) {}
  // An entry [[measure]] of the scene was sampled.
  virtual void sample(const measure::SampledMeasure&, const StepReport&, const measure::Table&) {}
  // An event of the quasi-static engine: one row.
  virtual void event(std::uint64_t /*step*/, double /*time*/, const measure::Table&) {}
  // A phase with a name is over: "its conditions hold".
  virtual void phase_ended(const std::string& /*name*/, const State<D>&, const std::string& /*why*/) {}
  // A warning; `first` of its kind or again.
  virtual void warning(const Warning&, bool /*first*/) {}
  // A step did not converge: one sentence.
  virtual void unconverged(const std::string& /*sentence*/) {}
};

}  // namespace moreau::inline course
