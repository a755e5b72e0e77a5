#include "moreau/course/sampled_measures.hpp"

#include <cmath>
#include <optional>

#include "moreau/course/phases.hpp"

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

template <int D>
bool compares(const measure::SampledMeasure& entry) {
  return measure::find_quantity<D>(entry.quantity)->needs == measure::Needs::two;
}

}  // namespace

template <int D>
bool compares_with_start(const Scene<D>& scene) {
  for (const measure::SampledMeasure& entry : scene.measures)
    if (compares<D>(entry)) return true;  // the first sample of one that compares with the last, too
  return false;
}

template <int D>
MeasureSampler<D>::MeasureSampler(const Scene<D>& scene, Frame<D> first) : scene_(scene), start_(std::move(first)) {
  for (const measure::SampledMeasure& entry : scene.measures) {
    const bool two = compares<D>(entry), last = two && entry.since == measure::SampledMeasure::Since::last;
    reference_of_.push_back(last ? static_cast<std::int32_t>(compared_++) : two ? start : none);
  }
}

template <int D>
void MeasureSampler<D>::sample(const Model<D>& model, const State<D>& state, const StepReport& report,
                               std::vector<Frame<D>>& references, CourseListener<D>& listener) {
  references.resize(compared_, start_);
  std::optional<Frame<D>> frame;  // made once, and only when some entry is due
  std::optional<measure::Sample<D>> now;
  for (std::size_t k = 0; k < scene_.measures.size(); ++k) {
    const measure::SampledMeasure& entry = scene_.measures[k];
    if (!due(entry, state.time, model.time_step)) continue;
    if (!now) {
      frame = make_frame(model, state);
      now = sample_of_frame(scene_, *frame);
    }
    const std::int32_t reference = reference_of_[k];
    std::optional<measure::Sample<D>> before;
    if (reference != none)
      before = sample_of_frame(scene_, reference == start ? start_ : references[static_cast<std::size_t>(reference)]);
    const measure::Table table = measure::find_quantity<D>(entry.quantity)->measure(*now, before ? *before : *now, entry.choices);
    if (reference >= 0) references[static_cast<std::size_t>(reference)] = *frame;
    if (!table.rows.empty()) listener.sample(entry, report, table);  // none: nothing to tell yet, no contact, no heap
  }
}

template bool compares_with_start(const Scene<2>&);
template bool compares_with_start(const Scene<3>&);
template class MeasureSampler<2>;
template class MeasureSampler<3>;

}  // namespace moreau
