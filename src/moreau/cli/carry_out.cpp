#include "moreau/cli/carry_out.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>

#include "moreau/cli/progress_line.hpp"
#include "moreau/runner/run.hpp"
#include "moreau/runner/summary.hpp"

namespace moreau {

namespace {

std::atomic<bool> interrupted{false};
extern "C" void on_signal(int) { interrupted.store(true); }

template <int D>
int carry_out_in(const Scene<D>& scene, RunFolder& folder, bool resumed, const CarryOutOptions& options) {
  std::optional<Checkpoint<D>> from;
  if (resumed) {
    from = folder.read_checkpoint<D>();
    folder.rewind(from->frames, from->state.step);
  }
  const double end = options.until ? std::min(*options.until, scene.duration) : scene.duration;
  ProgressLine line(end);
  RunControls controls;
  controls.until = options.until;
  controls.threads = options.threads;
  controls.interrupt = &interrupted;
  if (!options.json) {
    controls.progress = [&](const Progress& p) { line.show(p); };
    controls.warning = [&](const std::string& sentence) { line.say("warning: " + sentence); };
  }
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);

  const RunResult result = run_scene(scene, folder, from, controls);
  line.finish();

  nlohmann::ordered_json j = summary(folder.read_checkpoint<D>(), scene, folder.provenance());
  static constexpr const char* outcomes[] = {"finished", "interrupted", "sweep_limit", "not_finite"};
  j["outcome"] = outcomes[static_cast<int>(result.outcome)];
  if (!result.reason.empty()) j["reason"] = result.reason;
  folder.write_summary(j.dump(2) + "\n");
  if (options.json)
    fmt::print("{}\n", j.dump(2));
  else
    fmt::print("{}", summary_table(j));

  const std::string path = folder.path().string();
  if (!options.json) {
    fmt::print("\nfiles in {}: scene.toml, series.csv, trajectory.h5 ({} frames), bodies.pvd and contacts.pvd (ParaView), checkpoint.h5, "
               "summary.json, log.txt\n",
               path, result.frames);
    if (result.outcome == Outcome::finished && !j.at("complete").get<bool>()) fmt::print("go on with: moreau resume {}\n", path);
    if (result.outcome == Outcome::interrupted)
      fmt::print("{}; nothing is lost. Go on with: moreau resume {}\n", result.reason, path);
  }
  switch (result.outcome) {
    case Outcome::finished: return exit_ok;
    case Outcome::interrupted: return exit_interrupted;
    case Outcome::sweep_limit: fmt::print(stderr, "moreau: {}\n", result.reason); return exit_unconverged;
    case Outcome::not_finite: fmt::print(stderr, "moreau: {}\n", result.reason); return exit_not_finite;
  }
  return exit_error;
}

}  // namespace

int carry_out(const AnyScene& scene, RunFolder& folder, bool resumed, const CarryOutOptions& options) {
  return std::visit([&](const auto& s) { return carry_out_in(s, folder, resumed, options); }, scene);
}

}  // namespace moreau
