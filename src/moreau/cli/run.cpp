#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <vector>

#include "moreau/base/version.hpp"
#include "moreau/cli/run_to_end.hpp"
#include "moreau/cli/state_of.hpp"
#include "moreau/course/phases.hpp"
#include "moreau/runner/begun_from.hpp"
#include "moreau/runner/checkpoint_of.hpp"

namespace moreau {

namespace {

// A user may expect that a run begun from another goes on with the phase after those that are over.
template <int D>
std::string phases_again(const Scene<D>& before, const Scene<D>& scene, const RunFolder& other) {
  const Checkpoint<D> end = checkpoint_of(other, before);
  const bool complete = is_complete(before, end.state, end.report);
  std::vector<std::string> names;
  for (std::uint64_t k = 0; k < end.state.phase + (complete ? 1 : 0); ++k)
    for (const Phase<D>& phase : scene.phases)
      if (!phase.name.empty() && phase.name == before.phases[k].name) names.push_back("'" + phase.name + "'");
  if (names.empty()) return {};
  return fmt::format(
      "phases begin anew: {}, which {} has been through, {} made again from where it was; the scene needs only those that are to "
      "follow",
      fmt::join(names, ", "), other.path().string(), names.size() == 1 ? "is" : "are");
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  struct Options {
    std::string scene, out, from;
    std::vector<std::string> settings;
    bool force = false;
    RunOptions run;
  };
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "run a scene into a folder of its own");
  command->add_option("SCENE", o->scene, "scene file (TOML)")->required();
  command->add_option("--out", o->out, "folder of the run (default: NAME-run for NAME.toml)");
  add_settings_option(*command, o->settings);
  add_run_options(*command, o->run);
  command->add_option(
      "--from", o->from,
      "begin where this other run has come to: its bodies, contacts, walls and time, and the laws and phases of this "
      "scene; the bodies that this scene describes are left aside");
  command->add_flag("--force", o->force, "replace an existing run in that folder");
  command->callback([o, &status] {
    const std::filesystem::path file(o->scene);
    const AnyScene scene = read_scene(file, settings_of(o->settings));  // refused scenes leave no trace
    check_dump_steps(scene, o->run);
    check_strict(scene, o->run);
    check_device(scene);
    check_ranks(scene);
    // The text that is run is the text that is kept, read once: the scene may come through a pipe, or be edited meanwhile.
    const std::string& text = std::visit([](const auto& s) -> const std::string& { return s.text; }, scene);
    const std::filesystem::path folder =
        o->out.empty() ? std::filesystem::path(file.stem().string() + "-run") : std::filesystem::path(o->out);
    const std::uint64_t seed = std::visit([](const auto& s) { return s.seed; }, scene);
    const auto create = [&] {
      return RunFolder::create(folder, text, {MOREAU_VERSION, MOREAU_COMMIT, seed, o->run.threads}, o->force);
    };
    if (o->from.empty()) {
      RunFolder run = create();
      status = run_to_end(scene, run, false, o->run);
      return;
    }
    const RunFolder other = RunFolder::open(o->from);
    const AnyScene before = scene_of(other);
    if (before.index() != scene.index()) throw StoreError(fmt::format("{}: its scene has another dimension", o->from));
    std::visit(
        [&]<int D>(const Scene<D>& s) {
          Checkpoint<D> begin = begun_from(other, std::get<Scene<D>>(before), s);
          const std::string where =
              fmt::format("begins where {} was {}", o->from, instant_of(other, begin.state.step, begin.state.time).words());
          const std::string again = phases_again(std::get<Scene<D>>(before), s, other);
          RunFolder run = create();
          run.log(where);
          if (!o->run.json) fmt::print("{}\n", where);
          if (!again.empty()) run.log(again);
          if (!o->run.json && !again.empty()) fmt::print("{}\n", again);
          run.write_frame(begin.frames++, make_frame(s.phases[0].model, begin.state));
          run.write_checkpoint(begin);
          status = run_to_end(scene, run, true, o->run);
        },
        scene);
  });
}

}  // namespace moreau
