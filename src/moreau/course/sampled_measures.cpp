#include "moreau/course/sampled_measures.hpp"

#include <cmath>
#include <optional>

#include "moreau/course/phases.hpp"

namespace moreau::inline course {

namespace {

bool due(const measure::SampledMeasure& entry, double time, double h) {
  const auto count = [&](double t) { return std::floor((t - entry.offset) / entry.every); };
  return count(time + 0.5 * h) > count(time - 0.5 * h);
}

// The step belongs to the interval that ends with the next sample and is averaged.
bool averaged(const measure::SampledMeasure& entry, double time, double h) {
  const double next = entry.offset + entry.every * (std::floor((time - 0.5 * h - entry.offset) / entry.every) + 1.0);
  return time > next - entry.average + (0.5 - 1e-6) * h;
}

template <int D>
measure::Sample<D> sample_of_frame(const Scene<D>& scene, const Frame<D>& frame) {
  measure::Sample<D> sample = measure::sample_of(model_of(scene, frame), frame.shapes, frame.time, frame.parameters, frame.state,
                                                 frame.contacts, frame.wall_shift, frame.lattice);
  sample.named = scene.named, sample.broken = &frame.broken, sample.wear = &frame.wear;
  return sample;
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
    const bool two = compares<D>(entry), kept = two && entry.since != measure::SampledMeasure::Since::start;
    reference_of_.push_back(kept ? static_cast<std::int32_t>(compared_++) : two ? start : none);
    averaged_ += entry.average > 0.0;
  }
}

template <int D>
bool MeasureSampler<D>::is_due(const Model<D>& model, double time) const {
  for (const measure::SampledMeasure& entry : scene_.measures)
    if (due(entry, time, model.time_step) || (entry.average > 0.0 && averaged(entry, time, model.time_step))) return true;
  return false;
}

template <int D>
void MeasureSampler<D>::sample(const Model<D>& model, const State<D>& state, const StepReport& report,
                               std::vector<Frame<D>>& references, std::vector<measure::RunningMean>& averages,
                               CourseListener<D>& listener) {
  references.resize(compared_, start_), averages.resize(averaged_);
  std::optional<Frame<D>> frame;  // made once, and only when some entry needs it
  std::optional<measure::Sample<D>> now;
  std::size_t average = 0;
  for (std::size_t k = 0; k < scene_.measures.size(); ++k) {
    const measure::SampledMeasure& entry = scene_.measures[k];
    measure::RunningMean* mean = entry.average > 0.0 ? &averages[average++] : nullptr;
    const bool told = due(entry, state.time, model.time_step);
    if (!told && !(mean && averaged(entry, state.time, model.time_step))) continue;
    if (!now) {
      frame = make_frame(model, state);
      now = sample_of_frame(scene_, *frame);
    }
    const std::int32_t reference = reference_of_[k];
    std::optional<measure::Sample<D>> before;
    if (reference != none)
      before = sample_of_frame(scene_, reference == start ? start_ : references[static_cast<std::size_t>(reference)]);
    measure::Table table = measure::find_quantity<D>(entry.quantity)->measure(*now, before ? *before : *now, entry.choices);
    if (mean && !table.rows.empty()) mean->add(table);
    if (!told) continue;
    if (reference >= 0 && entry.since == measure::SampledMeasure::Since::last)
      references[static_cast<std::size_t>(reference)] = *frame;
    if (mean && !table.rows.empty()) table = mean->table(table), *mean = {};
    if (!table.columns.empty()) listener.sample(entry, report, table);  // none: nothing to tell yet, no contact, no heap
  }
}

template <int D>
void MeasureSampler<D>::begin_phase(const Model<D>& model, const State<D>& state, std::vector<Frame<D>>& references,
                                    std::vector<measure::RunningMean>& averages) {
  references.resize(compared_, start_);
  averages.assign(averaged_, {});
  for (std::size_t k = 0; k < scene_.measures.size(); ++k)
    if (scene_.measures[k].since == measure::SampledMeasure::Since::phase && reference_of_[k] >= 0)
      references[static_cast<std::size_t>(reference_of_[k])] = make_frame(model, state);
}

template bool compares_with_start(const Scene<2>&);
template bool compares_with_start(const Scene<3>&);
template class MeasureSampler<2>;
template class MeasureSampler<3>;

}  // namespace moreau::inline course
