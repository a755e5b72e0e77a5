#include "moreau/runner/sampled_measures.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "moreau/measure/quantity.hpp"

namespace moreau {

namespace {

bool due(double every, double time, double h) {
  return std::floor((time + 0.5 * h) / every) > std::floor((time - 0.5 * h) / every);
}

}  // namespace

template <int D>
void sample_measures(const Scene<D>& scene, const Simulation<D>& simulation, RunFolder& folder) {
  const State<D>& state = simulation.state();
  const Model<D>& model = simulation.model();
  std::optional<ContactRecords<D>> contacts;  // made once, and only when some entry is due
  std::optional<measure::Sample<D>> sample;
  for (const measure::SampledMeasure& entry : scene.measures) {
    if (!due(entry.every, state.time, model.time_step)) continue;
    if (!sample) {
      contacts = simulation.contact_records();
      const std::vector<Vec<D>> shift = wall_shifts(model, state);
      sample = measure::sample_of(model, state.bodies.shapes, state.time, state.bodies.parameters, state.bodies.state, *contacts,
                                  shift, lattice_of(model, state));
    }
    const measure::Table table = measure::find_quantity<D>(entry.quantity)->measure(*sample, *sample, entry.choices);
    if (table.rows.empty()) continue;  // nothing to tell yet: no contact, no heap
    std::string rows;
    for (const auto& row : table.rows)
      rows += fmt::format("{}{},{},{}", rows.empty() ? "" : "\n", state.step, state.time, measure::csv_row(row));
    folder.append_measure(entry.name, "step,time," + measure::csv_header(table), rows);
  }
}

template void sample_measures(const Scene<2>&, const Simulation<2>&, RunFolder&);
template void sample_measures(const Scene<3>&, const Simulation<3>&, RunFolder&);

}  // namespace moreau
