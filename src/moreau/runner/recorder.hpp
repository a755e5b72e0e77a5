// Writes what happens in a course into the folder of its run, and notes what a strict run stops at.
#pragma once

#include <optional>
#include <string>

#include "moreau/course/course.hpp"
#include "moreau/runner/run.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau::inline runner {

template <int D>
class Recorder : public CourseListener<D> {
 public:
  Recorder(RunFolder& folder, const RunControls& controls) : folder_(folder), controls_(controls) {}

  // Whose phases are named in the rows.
  void follow(const Course<D>& course) { course_ = &course; }

  void row(const StepReport& report) override;
  void frame(std::uint64_t number, const Frame<D>& frame) override;
  void sample(const measure::SampledMeasure& entry, const StepReport& report, const measure::Table& table) override;
  void event(std::uint64_t step, double time, const measure::Table& table) override;
  void phase_ended(const std::string& name, const State<D>& state, const std::string& why) override;
  void warning(const Warning& warning, bool first) override;
  void unconverged(const std::string& sentence) override;

  // Why a strict run stops: at its first warning, or at a step that did not converge.
  const std::optional<std::string>& refusal() const { return refusal_; }
  const std::optional<std::string>& unconverged() const { return unconverged_; }

 private:
  std::string phase() const { return course_ ? course_->phase().name : ""; }
  RunFolder& folder_;
  const RunControls& controls_;
  const Course<D>* course_ = nullptr;
  std::uint64_t told_ = 0;  // steps that did not converge
  std::optional<std::string> refusal_, unconverged_;
};

}  // namespace moreau::inline runner
