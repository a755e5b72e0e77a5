#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "moreau/cli/carry_out.hpp"
#include "moreau/runner/checkpoint_of.hpp"

namespace moreau {

namespace {

struct Options {
  std::string folder;
  std::vector<std::string> settings;
  CarryOutOptions carry;
};

// What is asked for beside the scene of the run. A scene without phases is made longer by --until alone.
std::vector<Setting> asked_settings(const AnyScene& scene, const Options& o) {
  std::vector<Setting> settings = settings_of(o.settings);
  std::visit(
      [&](const auto& s) {
        const bool plain = s.phases.size() == 1 && s.phases[0].name.empty();
        if (settings.empty() && plain && o.carry.until && *o.carry.until > s.duration + 0.5 * s.model.time_step)
          settings.push_back({"time.duration", fmt::format("{}", *o.carry.until)});
      },
      scene);
  return settings;
}

// The scene with the settings, once it is known to fit what the run has come to: a refusal leaves the run as it is.
AnyScene changed_scene(RunFolder& run, const std::vector<Setting>& settings) {
  AnyScene scene = parse_scene(run.scene_text(), (run.path() / "scene.toml").string(), run.path(), settings);
  std::visit(
      [&]<int D>(const Scene<D>& s) {
        if (run.has_checkpoint()) checkpoint_of(run, s, SceneChange::accepted);
        run.replace_scene(s.text);
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
  add_carry_out_options(*command, o->carry);
  command->add_flag("--changed", o->carry.changed, "go on although scene.toml was changed since; the log notes it");
  command->footer(
      "--until beyond the end of the scene makes it longer; --set time.duration=T, or --set 'phase[NAME].duration=T', does so "
      "too, "
      "and any other key may be set: the run goes on with the changed scene, and its log notes it.");
  command->callback([o, &status] {
    RunFolder run = RunFolder::open(o->folder);
    AnyScene scene = scene_of(run);
    if (const std::vector<Setting> settings = asked_settings(scene, *o); !settings.empty()) {
      run.claim();
      scene = changed_scene(run, settings);
      o->carry.changed = true;
    }
    check_strict(scene, o->carry);
    check_device(scene);
    check_ranks(scene, o->carry);
    status = carry_out(scene, run, true, o->carry);
  });
}

}  // namespace moreau
