#include "moreau/runner/sampled_measures.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "moreau/measure/quantity.hpp"
#include "moreau/runner/run.hpp"

namespace moreau {

namespace {

bool due(const measure::SampledMeasure& entry, double time, double h) {
  const auto count = [&](double t) { return std::floor((t - entry.offset) / entry.every); };
  return count(time + 0.5 * h) > count(time - 0.5 * h);
}

template <int D>
measure::Sample<D> sample_of_frame(const Scene<D>& scene, const Frame<D>& frame) {
  return measure::sample_of(model_of(scene, frame), frame.shapes, frame.time, frame.parameters, frame.state, frame.contacts,
                            frame.wall_shift, frame.lattice);
}

}  // namespace

template <int D>
MeasureSampler<D>::MeasureSampler(const Scene<D>& scene, RunFolder& folder, std::vector<Frame<D>> references)
    : scene_(scene), folder_(folder), references_(std::move(references)) {
  std::size_t count = 0;
  bool compared = false;
  for (const measure::SampledMeasure& entry : scene.measures) {
    const bool two = measure::find_quantity<D>(entry.quantity)->needs == measure::Needs::two;
    const bool last = two && entry.since == measure::SampledMeasure::Since::last;
    reference_of_.push_back(last ? static_cast<std::int32_t>(count++) : two ? start : none);
    compared |= two;
  }
  if (compared) start_ = folder.read_frame<D>(0);
  references_.resize(count, start_);
}

template <int D>
void MeasureSampler<D>::sample(const Simulation<D>& simulation) {
  const State<D>& state = simulation.state();
  const Model<D>& model = simulation.model();
  std::optional<Frame<D>> frame;  // made once, and only when some entry is due
  std::optional<measure::Sample<D>> now;
  for (std::size_t k = 0; k < scene_.measures.size(); ++k) {
    const measure::SampledMeasure& entry = scene_.measures[k];
    if (!due(entry, state.time, model.time_step)) continue;
    if (!now) {
      frame = make_frame(simulation);
      now = sample_of_frame(scene_, *frame);
    }
    const std::int32_t reference = reference_of_[k];
    std::optional<measure::Sample<D>> before;
    if (reference != none)
      before = sample_of_frame(scene_, reference == start ? start_ : references_[static_cast<std::size_t>(reference)]);
    const measure::Table table = measure::find_quantity<D>(entry.quantity)->measure(*now, before ? *before : *now, entry.choices);
    if (reference >= 0) references_[static_cast<std::size_t>(reference)] = *frame;
    if (table.rows.empty()) continue;  // nothing to tell yet: no contact, no heap
    std::string rows;
    for (const auto& row : table.rows)
      rows += fmt::format("{}{},{},{}", rows.empty() ? "" : "\n", state.step, state.time, measure::csv_row(row));
    folder_.append_measure(entry.name, "step,time," + measure::csv_header(table), rows);
  }
}

template class MeasureSampler<2>;
template class MeasureSampler<3>;

}  // namespace moreau
