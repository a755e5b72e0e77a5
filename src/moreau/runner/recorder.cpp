#include "moreau/runner/recorder.hpp"

#include <fmt/format.h>

#include "moreau/dynamics/traffic.hpp"

namespace moreau::inline runner {

namespace {
constexpr std::uint64_t most_told = 5;  // steps that did not converge; the others go to the log alone
}

template <int D>
void Recorder<D>::row(const StepReport& report) {
  folder_.append_series(report, phase(), course_ ? traffic(course_->present()) : Traffic{});
}

template <int D>
void Recorder<D>::frame(std::uint64_t number, const Frame<D>& frame) {
  FrameForm form;  // the first one is complete: a resumed run compares with it
  if (number > 0 && course_) {
    const OutputSettings& output = course_->phase().output;
    form.reduced = output.reduced.value_or(frame.parameters.size() > OutputSettings::many_bodies);
    form.orientation = output.orientation, form.spin = output.spin, form.contacts = output.contacts;
  }
  folder_.write_frame(number, frame, form);
}

template <int D>
void Recorder<D>::sample(const measure::SampledMeasure& entry, const StepReport& report, const measure::Table& table) {
  std::string rows;
  for (const auto& row : table.rows)
    rows += fmt::format("{}{},{},{},{}", rows.empty() ? "" : "\n", report.step, report.time, measure::csv_row({phase()}),
                        measure::csv_row(row));
  folder_.append_measure(entry.name, "step,time,phase," + measure::csv_header(table), rows);
}

template <int D>
void Recorder<D>::event(std::uint64_t step, double time, const measure::Table& table) {
  for (const auto& row : table.rows)
    folder_.append_event("step,time,phase," + measure::csv_header(table),
                         fmt::format("{},{},{},{}", step, time, measure::csv_row({phase()}), measure::csv_row(row)));
}

template <int D>
void Recorder<D>::phase_ended(const std::string& name, const State<D>& state, const std::string& why) {
  folder_.log(fmt::format("phase '{}' ended at t = {:.6g} (step {}): {}", name, state.time, state.step, why));
}

// What a strict run stops at goes to the log as it ends.
template <int D>
void Recorder<D>::warning(const Warning& warning, bool first) {
  if (controls_.strict && !refusal_)
    refusal_ = sentence_of(warning) + "; the run is --strict";
  else if (first)
    folder_.log("warning: " + sentence_of(warning));
}

template <int D>
void Recorder<D>::unconverged(const std::string& sentence) {
  folder_.log(sentence);
  if (controls_.strict) unconverged_ = sentence + "; the run is --strict";
  if (!controls_.warning) return;
  if (told_ < most_told) controls_.warning(sentence);
  if (++told_ == most_told) controls_.warning("further warnings of this kind go to log.txt only");
}

template class Recorder<2>;
template class Recorder<3>;

}  // namespace moreau::inline runner
