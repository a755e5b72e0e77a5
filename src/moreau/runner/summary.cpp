#include "moreau/runner/summary.hpp"

#include <fmt/format.h>

#include <cmath>

#include "moreau/base/printable.hpp"
#include "moreau/course/phases.hpp"
#include "moreau/dynamics/traffic.hpp"

namespace moreau::inline runner {

namespace {
// Null: no step was looked at.
nlohmann::ordered_json looked_at(double error) { return error < 0.0 ? nlohmann::ordered_json() : nlohmann::ordered_json(error); }
}  // namespace

nlohmann::ordered_json warnings_as_json(const Warnings& warnings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Warning& w : warnings.all()) {
    nlohmann::ordered_json j{{"kind", name_of(w.kind)}, {"value", w.value}, {"count", w.count}};
    if (w.step > 0) j["step"] = w.step, j["time"] = w.time;
    if (!w.where.empty()) j["where"] = w.where;
    j["sentence"] = sentence_of(w);
    list.push_back(j);
  }
  return list;
}

template <int D>
nlohmann::ordered_json summary(const Checkpoint<D>& checkpoint, const Scene<D>& scene, const Provenance& provenance) {
  const State<D>& s = checkpoint.state;
  const StepReport& r = checkpoint.report;
  const Certificate& c = r.certificate;
  const RunTotals& t = checkpoint.totals;
  const Traffic moved = traffic(s);
  std::size_t free = 0, blocks = 0;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    free += s.bodies.is_free(i) ? 1 : 0;
    blocks += s.bodies.is_present(i) && !s.bodies.is_round(i) ? 1 : 0;
  }
  nlohmann::ordered_json j;
  j["title"] = scene.title;
  j["dimension"] = D;
  j["time"] = s.time;
  if (std::isfinite(scene.duration)) j["duration"] = scene.duration;
  if (s.phase == 0 && s.phase_start > 0.0) j["begun_at"] = s.phase_start;  // from the end of another run
  j["complete"] = is_complete(scene, s, r);
  if (!scene.phases[s.phase].name.empty()) j["phase"] = scene.phases[s.phase].name;
  j["engine"] = engine_names()[static_cast<std::size_t>(scene.phases[s.phase].model.engine)];
  j["step"] = s.step;
  j["time_step"] = scene.phases[s.phase].model.time_step;
  j["bodies"] = s.bodies.size() - moved.removed;
  j["free_bodies"] = free;
  j["blocks"] = blocks;
  j["inserted_bodies"] = moved.inserted, j["inserted_mass"] = moved.inserted_mass;
  j["removed_bodies"] = moved.removed, j["removed_mass"] = moved.removed_mass;
  j["contacts"] = s.contacts.size();
  j["open"] = r.open;
  j["stick"] = r.stick;
  j["slide"] = r.slide;
  j["sweeps"] = c.sweeps;
  j["converged"] = c.converged;
  j["residual"] = c.relative_residual();
  j["residual_rms"] = c.residual_rms;
  j["residual_max"] = c.residual_max;
  j["velocity_scale"] = c.velocity_scale;
  j["unbalanced"] = c.unbalanced;
  if (c.error >= 0.0) j["error"] = c.error, j["body_error"] = c.body_error;
  j["unbalanced_force"] = r.unbalanced_force;
  j["max_penetration"] = r.max_penetration;
  j["mean_penetration"] = r.mean_penetration;
  j["max_speed"] = r.max_speed;
  j["kinetic_energy"] = s.energy.kinetic;
  j["potential_energy"] = s.energy.potential;
  j["elastic_energy"] = s.energy.elastic;
  j["wall_work"] = s.energy.wall_work;
  j["dissipated"] = s.energy.dissipated;
  j["inserted_energy"] = s.energy.inserted;
  j["removed_energy"] = s.energy.removed;
  j["gravity_work"] = s.energy.gravity_work;
  j["energy_error"] = s.energy.error();
  j["frames"] = checkpoint.frames;
  j["state_hash"] = state_hash(s);
  j["run"] = {{"steps", t.steps},
              {"computing_seconds", t.computing_seconds},
              {"sweeps", t.sweeps},
              {"relaxations", t.relaxations},
              {"unconverged_steps", t.unconverged_steps},
              {"unbounded_steps", t.unbounded_steps},
              {"worst_residual", t.worst_residual},
              {"worst_unbalanced", t.worst_unbalanced},
              {"worst_error", looked_at(t.worst_error)},
              {"worst_body_error", looked_at(t.worst_body_error)},
              {"factorisations", t.factorisations},
              {"worst_penetration", t.worst_penetration},
              {"max_contacts", t.max_contacts},
              {"max_speed", t.max_speed},
              {"card_steps", t.card_steps},
              {"card_swept_steps", t.card_swept_steps},
              {"fast_steps", t.fast_steps}};
  j["warnings"] = warnings_as_json(checkpoint.warnings);
  j["version"] = provenance.version;
  j["commit"] = provenance.commit;
  j["seed"] = provenance.seed;
  j["threads"] = provenance.threads;
  return j;
}

std::string summary_table(const nlohmann::ordered_json& j) {
  std::string text;
  const auto line = [&](const char* name, const std::string& value) { text += fmt::format("  {:<22}{}\n", name, value); };
  const auto number = [&](const char* key) { return j.at(key).get<double>(); };
  const auto& run = j.at("run");
  const std::uint64_t all_steps = j.at("step");
  const std::uint64_t own_steps = run.value("steps", all_steps);  // fewer where the run has begun from another
  if (const std::string title = j.at("title"); !title.empty()) line("title", printable(title));
  const double last = j.contains("duration") ? number("duration") + (j.contains("begun_at") ? number("begun_at") : 0.0) : 0.0;
  const std::string end = number("time") <= last * (1.0 + 1e-6) ? fmt::format(" of {:.6g}", last) : "";
  // Steps may have had other lengths before: of earlier phases, or of a run that was resumed with another step.
  const double step = number("time_step"), begun = j.contains("begun_at") ? number("begun_at") : 0.0;
  const std::uint64_t since = j.contains("begun_at") ? own_steps : all_steps;
  const bool alike = std::abs(static_cast<double>(since) * step - (number("time") - begun)) < 0.5 * step;
  line("time",
       fmt::format("{:.6g}{}, {} steps{} of {:g}{}", number("time"), end, own_steps, alike ? "" : ", the last one", step,
                   own_steps < all_steps ? fmt::format(" after {} of the run it has begun from", all_steps - own_steps) : ""));
  const std::size_t bodies = j.at("bodies"), free = j.at("free_bodies"), blocks = j.at("blocks");
  const std::string kinds = fmt::format("{} free, {} fixed or driven", free, bodies - free);
  if (blocks == 0)
    line("grains", kinds);
  else
    line("bodies", fmt::format("{}; {} blocks, {} round", kinds, blocks, bodies - blocks));
  line("contacts",
       fmt::format("{}: {} stick, {} slide, {} open", j.at("contacts").get<std::size_t>(), j.at("stick").get<std::size_t>(),
                   j.at("slide").get<std::size_t>(), j.at("open").get<std::size_t>()));
  line("residual", fmt::format("{:.2e} relative in {} sweeps (worst step {:.2e})", number("residual"), j.at("sweeps").get<int>(),
                               run.at("worst_residual").get<double>()));
  const bool rigid = j.value("engine", "rigid") == "rigid";
  line("velocity error",
       run.at("worst_error").is_null()
           ? rigid ? "not estimated: only where all contacts are under Coulomb's law, and solver.finish is true"
                   : fmt::format("not estimated: only by the rigid engine, and here the engine is {}",
                                 j.at("engine").get<std::string>())
           : fmt::format("{}; worst step {:.1e}, worst body {:.1e} of what a step brings",
                         j.contains("error") ? fmt::format("{:.1e}", number("error")) : "not looked at in the last step",
                         run.at("worst_error").get<double>(), run.at("worst_body_error").get<double>()));
  line("unbalanced momentum", fmt::format("{:.2e}", number("unbalanced")));
  line("unbalanced force", fmt::format("{:.2e} of the mean contact force", number("unbalanced_force")));
  line("penetration",
       fmt::format("{:.2e} of a diameter{} at most (worst step {:.2e}), {:.2e} on average", number("max_penetration"),
                   blocks > 0 ? " (of a block: of the ball about it)" : "", run.at("worst_penetration").get<double>(),
                   number("mean_penetration")));
  const double elastic = number("elastic_energy");
  line("energy", fmt::format("kinetic {:.6g}, potential {:.6g}, {}dissipated {:.6g}, walls {:.6g}", number("kinetic_energy"),
                             number("potential_energy"), elastic != 0.0 ? fmt::format("elastic {:.6g}, ", elastic) : "",
                             number("dissipated"), number("wall_work")));
  line("energy ledger error", fmt::format("{:.1e}", number("energy_error")));
  line("top speed", fmt::format("{:.4g} (over the run {:.4g})", number("max_speed"), run.at("max_speed").get<double>()));
  const std::uint64_t grew = run.at("unbounded_steps");
  line("unconverged steps",
       fmt::format("{} of {}{}", run.at("unconverged_steps").get<std::uint64_t>(), own_steps,
                   grew == 0 ? "" : fmt::format("; in {} the impulses grew from sweep to sweep", grew)));
  const double seconds = run.at("computing_seconds");
  line("computing", fmt::format("{:.1f} s, {:.1f} million relaxations a second", seconds,
                                seconds > 0.0 ? run.at("relaxations").get<double>() / seconds * 1e-6 : 0.0));
  if (const std::uint64_t there = run.at("card_steps"); there > 0)
    line("on a graphics card", fmt::format("{} of {} steps", there, own_steps));
  if (const std::uint64_t swept = run.value("card_swept_steps", std::uint64_t{0}); swept > 0)
    line("swept on a card", fmt::format("{} of {} steps, made by the processor but for their sweeps", swept, own_steps));
  if (const std::uint64_t fast = run.at("fast_steps"); fast > 0)
    line("fast sweeps", fmt::format("{} of {} steps, by several ranks; the hash is that of as many of them", fast,
                                    own_steps));
  line("state hash", j.at("state_hash"));
  const std::uint64_t unconverged = run.at("unconverged_steps");
  const std::size_t warnings = j.at("warnings").size();
  const std::string steps =
      unconverged == 0 ? "" : fmt::format("{} step{} did not converge", unconverged, unconverged == 1 ? "" : "s");
  line("warnings",
       warnings == 0 ? steps.empty() ? "none" : steps : fmt::format("{}{}", warnings, steps.empty() ? "" : ", and " + steps));
  for (const auto& warning : j.at("warnings")) text += fmt::format("  warning: {}\n", warning.at("sentence").get<std::string>());
  return text;
}

template nlohmann::ordered_json summary(const Checkpoint<2>&, const Scene<2>&, const Provenance&);
template nlohmann::ordered_json summary(const Checkpoint<3>&, const Scene<3>&, const Provenance&);

}  // namespace moreau::inline runner
