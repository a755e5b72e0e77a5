#include "moreau/reproduce/workshop.hpp"

#include <fmt/format.h>

#include "moreau/base/version.hpp"
#include "moreau/course/phases.hpp"
#include "moreau/reproduce/scenes.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/runner/summary.hpp"

namespace moreau::reproduce {

std::filesystem::path Workshop::figure(const std::string& name) const {
  std::filesystem::create_directories(folder / "figures");
  return folder / "figures" / name;
}

void Workshop::tell(const std::string& line) const {
  if (say) say(line);
}

void Workshop::stop_if_interrupted() const {
  if (interrupt && interrupt->load()) throw Interrupted("interrupted; the same command goes on from here");
}

std::string scene_text(std::string_view experiment, std::string_view name) {
  for (const ExperimentScene& scene : experiment_scenes)
    if (scene.experiment == experiment && scene.name == name) return std::string(scene.text);
  throw std::logic_error(fmt::format("no scene {}/{}", experiment, name));
}

std::string with(const std::string& text, const std::string& key, const std::string& value, int which) {
  const std::string start = key + " =";
  std::string result;
  int found = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const bool here = text.compare(at, start.size(), start) == 0;
    found += here;
    result += here && (which == 0 || found == which) ? start + " " + value : text.substr(at, end - at);
    result += '\n';
    at = end + 1;
  }
  if (which == 0 ? found != 1 : found < which)
    throw std::logic_error(fmt::format("key '{}' occurs {} times in the scene", key, found));
  return result;
}

template <int D>
Scene<D> scene_of(const std::string& text, const std::string& name) {
  return std::get<Scene<D>>(parse_scene(text, name));
}

namespace {

template <int D>
void write_summary_of(FinishedRun<D>& run) {
  run.folder.write_summary(summary(run.end, run.scene, run.folder.provenance()).dump(2) + "\n");
}

RunFolder folder_for(const std::filesystem::path& path, const std::string& text, std::uint64_t seed, int threads) {
  if (RunFolder::is_run(path)) {
    RunFolder there = RunFolder::open(path);
    there.claim();
    if (there.scene_text() == text) return there;
  }
  std::filesystem::create_directories(path.parent_path());
  return RunFolder::create(path, text, {MOREAU_VERSION, MOREAU_COMMIT, seed, threads}, true);
}

}  // namespace

template <int D>
FinishedRun<D> carry(const Workshop& workshop, const std::string& name, const std::string& text) {
  workshop.stop_if_interrupted();
  Scene<D> scene = scene_of<D>(text, name + ".toml");
  RunFolder folder = folder_for(workshop.folder / "runs" / name, text, scene.seed, workshop.threads);
  std::optional<Checkpoint<D>> from;
  if (folder.has_checkpoint()) from = checkpoint_of(folder, scene);
  if (from) workshop.seconds_before += from->totals.computing_seconds;
  FinishedRun<D> run{std::move(scene), folder, {}};
  if (from && is_complete(run.scene, from->state, from->report)) {
    run.end = std::move(*from);
    if (!folder.has_summary()) write_summary_of(run);
    workshop.quality.add(name, run.end.state.step, run.end.totals, run.end.warnings);
    return run;
  }
  folder.rewind(from ? from->frames : 0, from ? from->state.step : 0);
  RunControls controls;
  controls.threads = workshop.threads;
  controls.interrupt = workshop.interrupt;
  if (workshop.progress) controls.progress = [&](const Progress& p) { workshop.progress(name, p); };
  const RunResult result = run_scene(run.scene, folder, from, controls);
  run.end = folder.template read_checkpoint<D>();
  write_summary_of(run);
  if (result.outcome == Outcome::interrupted)
    throw Interrupted(fmt::format("run {}: {}; the same command goes on from there", name, result.reason));
  if (result.outcome != Outcome::finished) throw std::runtime_error(fmt::format("run {}: {}", name, result.reason));
  workshop.quality.add(name, run.end.state.step, run.end.totals, run.end.warnings);
  return run;
}

template Scene<2> scene_of(const std::string&, const std::string&);
template Scene<3> scene_of(const std::string&, const std::string&);
template FinishedRun<2> carry(const Workshop&, const std::string&, const std::string&);
template FinishedRun<3> carry(const Workshop&, const std::string&, const std::string&);

}  // namespace moreau::reproduce
