#include "moreau/runner/begun_from.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/course/phases.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/runner/checkpoint_of.hpp"

namespace moreau::inline runner {

namespace {

enum class More { accepted, refused };

template <class Entry>
void demand_names(const RunFolder& other, const char* what, const std::vector<Entry>& before, const std::vector<Entry>& now,
                  More more) {
  const auto same = [](const Entry& a, const Entry& b) { return a.name == b.name; };
  if (now.size() >= before.size() && (more == More::accepted || now.size() == before.size()) &&
      std::equal(before.begin(), before.end(), now.begin(), same))
    return;
  std::string names;
  for (const Entry& entry : before) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", entry.name);
  throw StoreError(fmt::format("{}: a scene that begins from this run needs its {}s in their order{}; accepted: {}",
                               other.path().string(), what, more == More::accepted ? ", others after them" : " and no others",
                               names.empty() ? "none" : names));
}

}  // namespace

template <int D>
Checkpoint<D> begun_from(const RunFolder& other, const Scene<D>& before, const Scene<D>& scene) {
  demand_names(other, "material", before.model.materials, scene.model.materials, More::accepted);
  demand_names(other, "wall", before.model.walls, scene.model.walls, More::refused);
  demand_names(other, "motion", before.model.motions, scene.model.motions, More::accepted);
  demand_names(other, "piston", before.model.pistons, scene.model.pistons, More::refused);
  demand_names(other, "source", before.model.sources, scene.model.sources, More::refused);
  if (before.model.cell.start.any() != scene.model.cell.start.any())
    throw StoreError(fmt::format("{}: a scene that begins from this run {} a periodic cell, like it", other.path().string(),
                                 before.model.cell.start.any() ? "needs" : "cannot have"));
  Checkpoint<D> end = checkpoint_of(other, before);
  Simulation<D> simulation(before.phases[end.state.phase].model, std::move(end.state));
  begin_phase(scene, 0, simulation);
  Checkpoint<D> begin;
  begin.state = simulation.state();
  begin.report.bodies = begin.state.bodies.size();
  begin.report.step = begin.state.step, begin.report.time = begin.state.time;
  begin.report.energy = begin.state.energy;
  for (const Warning& warning : scene.warnings.all()) begin.warnings.add(warning);
  const double frames = scene.phases[0].output.frame_interval;
  begin.next_frame = frames > 0.0 ? begin.state.time + frames : HUGE_VAL;
  begin.next_series = begin.state.time;
  return begin;
}

template Checkpoint<2> begun_from(const RunFolder&, const Scene<2>&, const Scene<2>&);
template Checkpoint<3> begun_from(const RunFolder&, const Scene<3>&, const Scene<3>&);

}  // namespace moreau::inline runner
