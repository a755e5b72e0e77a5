#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>

#include "moreau/cli/run_to_end.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/runner/placed.hpp"

namespace moreau {

namespace {

struct Options {
  std::string folder;
  std::vector<std::string> settings;
  RunOptions run;
};

// What is asked for beside the scene of the run. A scene without phases is made longer by --until, unless its duration is set.
std::vector<Setting> asked_settings(const AnyScene& scene, const Options& o) {
  std::vector<Setting> settings = settings_of(o.settings);
  std::visit(
      [&](const auto& s) {
        const bool plain = s.phases.size() == 1 && s.phases[0].name.empty();
        const bool timed = std::ranges::any_of(settings, [](const Setting& x) { return x.key == "time.duration" || x.key == "time"; });
        if (!timed && plain && o.run.until && *o.run.until > s.duration + 0.5 * s.model.time_step)
          settings.push_back({"time.duration", fmt::format("{}", *o.run.until)});
      },
      scene);
  return settings;
}

// Tables that act on a run under way, whatever they also mean for where bodies are placed at its beginning.
constexpr std::string_view acting[] = {"wall", "cell", "piston", "motion", "law", "gravity", "time", "phase", "solver", "output"};

bool same_end(const EndConditions& a, const EndConditions& b) {
  const auto all = [](const EndConditions& e) {
    return std::tie(e.at_least, e.kinetic_energy, e.greatest_energy, e.unbalanced_force, e.force_residual, e.moment_residual,
                    e.no_monovalent, e.travelled, e.strain, e.strain_piston, e.strain_p, e.strain_q, e.bodies, e.isostatic);
  };
  return all(a) == all(b);
}

// Why a change finds no step in which it could act, of a run in this phase; empty if it may. What else a phase sets holds on in those
// after it.
template <int D>
std::string why_over(const Scene<D>& before, const Scene<D>& after, std::size_t phase) {
  if (before.phases.size() != after.phases.size()) return {};
  std::string why;
  bool rigid = false;
  for (std::size_t p = 0; p < before.phases.size(); ++p) {
    const Phase<D>&a = before.phases[p], &b = after.phases[p];
    if (p >= phase) rigid = rigid || b.model.engine == EngineKind::rigid;
    if (p <= phase && a.radii != b.radii) why = fmt::format("the phase '{}', as which begins radii change, has begun", a.name);
    if (p < phase && (a.duration != b.duration || !same_end(a.end, b.end))) why = fmt::format("the phase '{}' is over", a.name);
  }
  if (!rigid && before.model.contact_distance != after.model.contact_distance)
    why = "no phase that is left has the engine \"rigid\", which alone knows a distance of contact";
  return why;
}

// A key that only places bodies would be written into the scene of the run and change nothing but that.
template <int D>
void refuse_without_effect(const Scene<D>& before, const State<D>& state, const RunFolder& run, const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) {
    const std::string root = setting.key.substr(0, setting.key.find_first_of(".["));
    const bool acts = std::ranges::find(acting, root) != std::end(acting);
    if (acts && root != "phase") continue;
    if (root == "material" && !before.model.sources.empty()) continue;  // holds for grains to come
    std::optional<AnyScene> alone;
    try {
      alone = parse_scene(run.scene_text(), "scene.toml", run.path(), {setting});
    } catch (const SceneError&) {
      continue;  // makes sense together with the others only
    }
    const Scene<D>* after = std::get_if<Scene<D>>(&*alone);
    if (!after) continue;
    if (const std::string why = why_over(before, *after, state.phase); !why.empty())
      throw SceneError(fmt::format("--set {}: {} is at t = {:.6g}, and no step is left in which that would act: {}; accepted: keys of "
                                   "what is to come",
                                   setting.text(), run.path().string(), state.time, why));
    if (!acts && !place_the_same(before, *after))
      throw SceneError(fmt::format(
          "--set {}: changes the bodies or the seed with which a run begins, and has no effect on {}, which is under way; "
          "accepted: keys of {}, ...; begin a new run for other bodies",
          setting.text(), run.path().string(), fmt::join(acting, ", ")));
  }
}

// The scene with the settings, once it is known to fit what the run has come to: a refusal leaves the run as it is. A scene that
// was edited by hand is not taken over with them.
AnyScene scene_with(const std::vector<Setting>& settings, const RunFolder& run, const AnyScene& old, SceneChange by_hand) {
  AnyScene scene = parse_scene(run.scene_text(), (run.path() / "scene.toml").string(), run.path(), settings);
  std::visit(
      [&]<int D>(const Scene<D>& s) {
        if (run.has_checkpoint()) {
          if (const auto* before = std::get_if<Scene<D>>(&old)) {
            refuse_without_effect(*before, checkpoint_of(run, *before, by_hand).state, run, settings);
          }
          checkpoint_of(run, s, SceneChange::accepted);
        }
      },
      scene);
  return scene;
}

}  // namespace

void add_resume(CLI::App& app, int& status) {
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("resume",
                                         "go on with a run that was interrupted, killed, or stopped with --until, or make "
                                         "one that is finished longer");
  command->add_option("DIR", o->folder, "folder of the run")->required();
  add_settings_option(*command, o->settings);
  add_run_options(*command, o->run);
  command->add_flag("--changed", o->run.changed, "go on although scene.toml was changed since; the log notes it");
  command->footer(
      "--until beyond the end of the scene makes it longer; --set time.duration=T, or --set 'phase[NAME].duration=T', does so "
      "too, "
      "and any other key that acts on a run under way may be set: the run goes on with the changed scene, and its log notes it.");
  command->callback([o, &status] {
    RunFolder run = RunFolder::open(o->folder);
    run.claim();  // what is read now stays
    AnyScene scene = scene_of(run);
    if (const std::vector<Setting> settings = asked_settings(scene, *o); !settings.empty()) {
      scene = scene_with(settings, run, scene, o->run.changed ? SceneChange::accepted : SceneChange::refused);
      o->run.settings = true;
      for (const Setting& setting : settings) o->run.set += (o->run.set.empty() ? "--set " : ", --set ") + setting.text();
    }
    check_strict(scene, o->run);
    check_device(scene);
    check_ranks(scene);
    status = run_to_end(scene, run, true, o->run);
  });
}

}  // namespace moreau
