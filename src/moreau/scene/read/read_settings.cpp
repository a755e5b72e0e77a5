#include <fmt/format.h>

#include "moreau/scene/read/read_engines.hpp"
#include "moreau/scene/read/read_model.hpp"
#include "moreau/scene/read/read_soft.hpp"

namespace moreau::inline scene {
namespace {

template <int D>
void read_time(TableReader& root, Scene<D>& scene) {
  const bool phases = root.has("phase");
  auto time = root.table("time", true, phases ? "a table with 'step'" : "a table with 'step' and 'duration'");
  if (!time) return;
  const double step = scene.model.time_step = time->number("step", positive);
  if (phases) {
    if (time->has("duration"))
      time->fail("duration", "is given, but the scene has phases; accepted: a 'duration' in each [[phase]] instead");
    return time->finish();
  }
  const double duration = scene.duration = time->number("duration", positive);
  if (time->has("step") && time->has("duration") && !root.mistakes().any()) {
    if (step > duration) time->fail("step", fmt::format("is {}; accepted: at most 'time.duration', which is {}", step, duration));
    if (duration > most_steps * step) {  // told of the odder of the two
      const bool long_lasting = duration * step > 1.0;
      time->fail(long_lasting ? "duration" : "step",
                 fmt::format("is {}, {:.3g} steps in all, as 'time.{}' is {}; accepted: at most {:g} steps",
                             long_lasting ? duration : step, duration / step, long_lasting ? "step" : "duration",
                             long_lasting ? step : duration, most_steps));
    }
  }
  time->finish();
}

// Names for legends (scene/units.hpp takes them from the text); here they are only checked.
void read_units(TableReader& root) {
  auto units = root.table("units", false);
  if (!units) return;
  for (const char* key : {"length", "mass", "time"})
    if (units->text(key, "").size() > 16) units->fail(key, "is longer than 16 letters; accepted: a short name, as \"cm\"");
  units->finish();
}

}  // namespace

void read_solver(TableReader& root, SolverSettings& solver) {
  auto table = root.table("solver", false);
  if (!table) return;
  solver.tolerance = table->number("tolerance", open_fraction, solver.tolerance);
  solver.unbalanced_tolerance = table->number("unbalanced_tolerance", open_fraction, solver.unbalanced_tolerance);
  solver.max_sweeps = static_cast<int>(table->integer("max_sweeps", 1, 1'000'000'000, solver.max_sweeps));
  solver.relaxation = table->number("relaxation", {"a number in (0, 2)", 0.0, 2.0, false, false}, solver.relaxation);
  solver.extrapolation = table->flag("extrapolation", solver.extrapolation);
  solver.mixed_precision = table->flag("mixed_precision", solver.mixed_precision);
  solver.finish = table->flag("finish", solver.finish);
  solver.on_limit = table->choice("on_limit", {"warn", "stop"}, 0) == 0 ? OnSweepLimit::warn : OnSweepLimit::stop;
  solver.ranks = table->choice("ranks", {"exact", "fast"}, 0) == 0 ? RankSweeps::exact : RankSweeps::fast;
  table->finish();
}

void read_output(TableReader& root, OutputSettings& output) {
  auto table = root.table("output", false);
  if (!table) return;
  output.frame_interval = table->number("frames", nonnegative, output.frame_interval);
  output.series_interval = table->number("series", nonnegative, output.series_interval);
  output.checkpoint_interval = table->number("checkpoint", positive, output.checkpoint_interval);
  if (table->has("precision")) {
    const std::size_t choice = static_cast<std::size_t>(table->choice("precision", {"auto", "full", "reduced"}));
    output.reduced = choice == 0 ? std::nullopt : std::optional(choice == 2);
  }
  if (table->has("fields")) {
    output.orientation = output.spin = output.contacts = false;
    for (const std::string& field : table->texts("fields", table->array_size("fields"))) {
      bool* kept = field == "orientation" ? &output.orientation
                   : field == "spin"      ? &output.spin
                   : field == "contacts"  ? &output.contacts
                                          : nullptr;
      if (!kept) {
        table->fail(
            "fields",
            fmt::format(
                "has '{}'; accepted: any of \"orientation\", \"spin\", \"contacts\" (positions and velocities are always kept)",
                field));
        break;
      }
      *kept = true;
    }
  }
  table->finish();
}

template <int D>
Vec<D> read_gravity(TableReader& root) {
  if (!root.has("gravity") || root.is_array("gravity")) return root.vector<D>("gravity", Vec<D>{});
  Vec<D> gravity{};  // one number: downwards along the last axis
  gravity[D - 1] = -root.number("gravity", {D == 2 ? "a number >= 0 (downwards), or an array of 2 numbers"
                                                   : "a number >= 0 (downwards), or an array of 3 numbers",
                                            0.0, largest_number, true, true});
  return gravity;
}

void read_engine(TableReader& table, EngineKind& engine) {
  if (table.has("engine")) engine = static_cast<EngineKind>(table.choice("engine", engine_names()));
}

template <int D>
ContactKeys read_contact_rule(TableReader& root, Model<D>& model) {
  auto contact = root.table("contact", false);
  if (!contact) return {};
  const ContactKeys given{contact->has("rule"), contact->has("distance")};
  if (given.rule)
    model.rule = contact->choice("rule", {"midpoint", "predictive"}) == 0 ? ContactRule::midpoint : ContactRule::predictive;
  model.contact_distance = contact->number("distance", nonnegative, model.contact_distance);
  if (contact->has("shocks"))
    model.shocks = contact->choice("shocks", {"together", "sequential"}) == 0 ? ShockRule::together : ShockRule::sequential;
  contact->finish();
  return given;
}

template <int D>
ContactKeys read_settings(TableReader& root, Scene<D>& scene) {
  scene.title = root.text("title", "");
  read_units(root);
  scene.seed = static_cast<std::uint64_t>(root.integer("seed", 0, INT64_MAX, 0));
  scene.model.gravity = read_gravity<D>(root);
  scene.model.damping = root.number("damping", nonnegative, 0.0);
  read_time(root, scene);
  read_engine(root, scene.model.engine);
  scene.model.soft.integrator = Integrator::gear;
  read_soft(root, scene.model.soft);
  scene.model.lubricated.law = D == 2 ? FilmLaw::cylinders : FilmLaw::spheres;
  read_lubricated(root, scene.model.lubricated);
  read_elastic(root, scene.model.elastic);
  const ContactKeys contact = read_contact_rule(root, scene.model);
  read_solver(root, scene.model.solver);
  read_output(root, scene.output);
  return contact;
}

#define MOREAU_INSTANTIATE(D)                                         \
  template Vec<D> read_gravity<D>(TableReader&);                      \
  template ContactKeys read_contact_rule<D>(TableReader&, Model<D>&); \
  template ContactKeys read_settings<D>(TableReader&, Scene<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline scene
