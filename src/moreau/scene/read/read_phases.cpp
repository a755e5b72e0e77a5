#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/base/nearest.hpp"
#include "moreau/scene/read/read_engines.hpp"
#include "moreau/scene/read/read_model.hpp"
#include "moreau/scene/read/read_soft.hpp"

namespace moreau::inline scene {
namespace {

// Each phase has a table of laws of its own.
constexpr std::size_t most_phases = 1000, most_laws = 10'000'000;

template <int D>
void read_strain(TableReader& end, const Model<D>& model, const SceneNames& names, EndConditions& conditions) {
  if (!end.has("strain")) return;
  conditions.strain = end.number("strain", positive);
  if (end.has("piston") || !model.pistons.empty()) {
    conditions.strain_piston = names.pistons.resolve(end, "piston");
    return;
  }
  std::vector<std::string> components;
  const char* axes = "xyz";
  for (int p = 0; p < D; ++p)
    for (int q = p; q < D; ++q) components.push_back({axes[p], axes[q]});
  if (!model.cell.start.any()) {
    end.fail("strain", "is asked for, but the scene has no piston and no cell; accepted: a scene with a [[piston]] or a [cell]");
    return;
  }
  const std::string& name = components[end.choice("component", components)];
  conditions.strain_p = name[0] - 'x', conditions.strain_q = name[1] - 'x';
}

// A phase that ends when forces are balanced to x: they are about ten times worse balanced than the laws are solved. Where the
// solver's tolerances are the default ones, they follow what is asked for.
void solve_well_enough(const EndConditions& end, SolverSettings& solver) {
  constexpr double share_of_balance = 0.1;
  const SolverSettings usual;
  double asked = 1.0;
  for (const auto& bound : {end.unbalanced_force, end.force_residual, end.moment_residual})
    if (bound) asked = std::min(asked, *bound);
  if (solver.tolerance == usual.tolerance) solver.tolerance = std::min(solver.tolerance, share_of_balance * asked);
  if (solver.unbalanced_tolerance == usual.unbalanced_tolerance)
    solver.unbalanced_tolerance = std::min(solver.unbalanced_tolerance, asked);
}

template <int D>
void read_end(TableReader& phase, const SceneNames& names, Phase<D>& read) {
  if (phase.has("end") && !phase.is_table("end")) {
    read.end.isostatic = phase.choice("end", {"isostatic"}) == 0;
    return;
  }
  auto end = phase.table("end", false, "a table of conditions, or \"isostatic\"");
  if (!end) return;
  EndConditions& c = read.end;
  const auto bound = [&](const char* key, std::optional<double>& value) {
    if (end->has(key)) value = end->number(key, positive);
  };
  c.at_least = end->number("at_least", nonnegative, 0.0);
  bound("kinetic_energy", c.kinetic_energy), bound("greatest_energy", c.greatest_energy);
  bound("unbalanced_force", c.unbalanced_force);
  bound("force_residual", c.force_residual), bound("moment_residual", c.moment_residual);
  c.no_monovalent = end->flag("no_monovalent", false);
  c.isostatic = end->flag("isostatic", false);
  bound("travelled", c.travelled);
  read_strain(*end, read.model, names, c);
  if (end->has("bodies")) c.bodies = static_cast<std::uint64_t>(end->integer("bodies", 1, INT64_MAX));
  if (end->has("periods")) {
    const double periods = end->number("periods", positive);
    const std::int32_t motion = names.motions.resolve(*end, "motion");
    const bool known = static_cast<std::size_t>(motion) < read.model.motions.size();
    const double frequency = known ? read.model.motions[static_cast<std::size_t>(motion)].frequency : 0.0;
    if (frequency > 0.0 && periods / frequency > most_steps * read.model.time_step)
      end->fail("periods", fmt::format("is {}, {:.3g} steps in all; accepted: at most {:g} steps", periods,
                                       periods / frequency / read.model.time_step, most_steps));
    else if (frequency > 0.0)
      read.duration = std::min(read.duration, periods / frequency);
    else
      end->fail("periods",
                "are asked for, but the motion has no frequency; accepted: with the name of a sinusoid under 'motion'");
  }
  end->finish();
}

}  // namespace

template <int D>
void read_phases(TableReader& root, Scene<D>& scene, const SceneNames& names, NamedFiles& files) {
  Phase<D> now{"", scene.model, scene.output, {}, 1.0, scene.duration, {}};
  Names phase_names("phase");
  auto entries = root.tables("phase");
  const std::size_t most =
      std::max<std::size_t>(1, std::min(most_phases, most_laws / std::max<std::size_t>(1, now.model.pair_laws.size())));
  if (entries.size() > most) {
    root.fail("phase", fmt::format("has {} entries; accepted: at most {} with {} materials", entries.size(), most,
                                   now.model.materials.size()));
    entries.resize(most, entries.front());
  }
  for (auto& entry : entries) {
    now.name = phase_names.declare(entry, entry.path());
    now.end = {}, now.new_motions.clear();
    now.duration = entry.has("duration") ? entry.number("duration", positive) : std::numeric_limits<double>::infinity();
    if (entry.has("gravity")) now.model.gravity = read_gravity<D>(entry);
    now.radii = entry.number("radii", positive, 1.0);
    now.model.damping = entry.number("damping", nonnegative, now.model.damping);
    if (entry.has("step")) now.model.time_step = entry.number("step", positive);
    read_engine(entry, now.model.engine);
    read_soft(entry, now.model.soft);
    read_lubricated(entry, now.model.lubricated);
    read_elastic(entry, now.model.elastic);
    read_contact_rule(entry, now.model);
    change_laws(entry, now.model, names);
    read_solver(entry, now.model.solver);
    read_output(entry, now.output);
    change_apparatus(entry, now.model, names);
    for (auto& motion : entry.tables("motion")) {
      const std::int32_t index = names.motions.resolve(motion, "name");
      Motion<D> changed = read_motion<D>(motion, files);
      if (static_cast<std::size_t>(index) >= now.model.motions.size()) {
        motion.mistakes().add(motion.location(), fmt::format("'{}' changes a motion, but the scene has none; accepted: motions that "
                                                         "are declared by a [[motion]] before the phases",
                                                         motion.path()));
        continue;
      }
      changed.name = now.model.motions[static_cast<std::size_t>(index)].name;
      now.model.motions[static_cast<std::size_t>(index)] = std::move(changed);
      now.new_motions.push_back(index);
    }
    if (entry.has("duration") && !entry.mistakes().any() && now.duration > most_steps * now.model.time_step)
      entry.fail("duration", fmt::format("is {}, {:.3g} steps in all, as the step is {}; accepted: at most {:g} steps", now.duration,
                                         now.duration / now.model.time_step, now.model.time_step, most_steps));
    read_end(entry, names, now);
    Phase<D> phase = now;
    solve_well_enough(phase.end, phase.model.solver);
    if (!entry.mistakes().any())
      if (const std::string sentence = frictionless_refusal(now, scene.bodies); !sentence.empty())
        entry.mistakes().add(entry.location(), fmt::format("'{}' {}", entry.path(), sentence));
    if (!entry.mistakes().any() && !entry.has("duration") && !now.end.any() && !(now.duration < HUGE_VAL))
      entry.fail_missing("duration", "a time after which the phase ends, or a table 'end' of conditions");
    entry.finish();
    scene.phases.push_back(std::move(phase));
  }
  if (scene.phases.empty()) scene.phases.push_back(now);
  scene.duration = 0.0;
  for (const Phase<D>& phase : scene.phases) scene.duration += phase.duration;
}

template void read_phases<2>(TableReader&, Scene<2>&, const SceneNames&, NamedFiles&);
template void read_phases<3>(TableReader&, Scene<3>&, const SceneNames&, NamedFiles&);

}  // namespace moreau::inline scene
