#include "moreau/cli/run_to_end.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <ctime>
#include <filesystem>

#include "moreau/base/shell_word.hpp"
#include "moreau/cli/progress_line.hpp"
#include "moreau/course/phases.hpp"
#include "moreau/engines/rigid/card_steps.hpp"
#include "moreau/engines/rigid/step_problem.hpp"
#include "moreau/gpu/device.hpp"
#include "moreau/ranks/crew.hpp"
#include "moreau/engines/refusal.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/runner/placed.hpp"
#include "moreau/runner/run.hpp"
#include "moreau/runner/summary.hpp"
#include "moreau/store/run_names.hpp"

namespace moreau {

namespace {

volatile std::sig_atomic_t last_signal = 0;
std::atomic<bool> interrupted{false};
std::string folder_in_progress, end_told;
volatile std::sig_atomic_t first_second = 0;  // of the clock, of the first signal
// The first signal ends the run after the present step; another one, a second later or more, ends it at once, as a kill would.
// Those that send signals for us (timeout, batch systems) like to send them twice.
extern "C" void on_signal(int signal) {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  if (!interrupted.load()) {
    last_signal = signal;
    first_second = static_cast<std::sig_atomic_t>(now.tv_sec);
    interrupted.store(true);
  } else if (now.tv_sec > first_second + 1) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

// Ended by hand, by the system (also when the time of a batch job is over), or with the terminal. What the shell has made this
// program deaf to (nohup) it stays deaf to.
void listen_to_signals() {
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGHUP})
    if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);  // output that nobody reads is then an error, which ends the run as a signal does
}

// Every sampled measure is a table that stays open; a system offers few files at first and more to who asks.
void ask_for_files() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

// What is left of a run that failed, as it is on the disk.
template <int D>
std::string what_is_left(const RunFolder& folder) {
  const std::string path = shell_word(folder.path().string());
  if (!folder.stands()) return "the run that was there is kept";
  if (!RunFolder::is_run(folder.path())) return "the folder of the run is gone or no longer whole";
  if (!folder.has_checkpoint()) return fmt::format("no checkpoint was written, begin again with: moreau resume {}", path);
  try {
    const State<D> state = folder.read_checkpoint<D>().state;
    return fmt::format("what was computed up to step {} (t = {:.6g}) is safe, go on from there with: moreau resume {}",
                       state.step, state.time, path);
  } catch (const StoreError& error) {
    return fmt::format("and no checkpoint can be read: {}", error.what());
  }
}

// The same, where the engine of the phase that comes does not take what is there: to go on with it is no way out.
template <int D>
std::string what_is_left_of_refused(const RunFolder& folder) {
  if (!RunFolder::is_run(folder.path()) || !folder.has_checkpoint()) return what_is_left<D>(folder);
  try {
    const State<D> state = folder.read_checkpoint<D>().state;
    if (state.step == 0) return "no step was made";
    return fmt::format("what was computed up to step {} (t = {:.6g}) is safe, go on from there with other keys: moreau resume {} --set "
                       "KEY=VALUE",
                       state.step, state.time, shell_word(folder.path().string()));
  } catch (const StoreError&) {
    return what_is_left<D>(folder);
  }
}

// Those that the run has written and that are there, in the order in which a user asks for them.
std::string files_of(const std::filesystem::path& folder, std::uint64_t frames) {
  std::string list;
  for (const char* name :
       {"scene.toml", "series.csv", "trajectory.h5", "measures", "events.csv", "checkpoint.h5", "summary.json", "log.txt"}) {
    std::error_code none;
    if (!std::filesystem::exists(folder / name, none)) continue;
    list += (list.empty() ? "" : ", ") + std::string(name);
    if (std::filesystem::is_directory(folder / name, none)) list += "/";
    if (std::string_view(name) == "trajectory.h5") list += fmt::format(" ({} frames)", frames);
  }
  return list;
}

// Says, and notes in the log, with what else than before a run goes on.
template <int D>
void tell_differences(const Checkpoint<D>& from, const Scene<D>& scene, const RunFolder& folder, bool json) {
  const auto tell = [&](const std::string& sentence) {
    folder.log(sentence);
    if (!json) fmt::print("{}\n", sentence);
  };
  const Signature &then = from.signature, &now = folder.signature();
  if (is_changed(folder, then))
    tell(fmt::format("from step {} (t = {:.6g}) on with a changed scene.toml (digest {} instead of {})", from.state.step,
                     from.state.time, now.scene, then.scene));
  if (is_changed(folder, then) && !began_as(from.state.bodies, scene))
    tell("warning: scene.toml now places other bodies than those of this run, which go on as they are");
  if (!then.version.empty() && (then.version != now.version || then.commit != now.commit))
    tell(fmt::format("computed up to step {} (t = {:.6g}) by moreau {} ({}), from there on by moreau {} ({})", from.state.step,
                     from.state.time, then.version, then.commit, now.version, now.commit));
}

// How several ranks sweep, and what that means for the bits.
template <int D>
std::string ranks_sentence(const Scene<D>& scene, int ranks) {
  const bool fast = std::ranges::any_of(scene.phases, [](const Phase<D>& p) { return p.model.solver.ranks == RankSweeps::fast; });
  return fmt::format("on {} ranks, {}", ranks,
                     fast ? "fast sweeps (solver.ranks): certified as others are, but the bits depend on how many ranks there are"
                          : "exact sweeps: the bits are those of one process");
}

// What each rank has done, and how evenly.
void log_efforts(const RunFolder& folder) {
  const std::vector<ranks::Effort> efforts = ranks::efforts();
  for (std::size_t r = 0; r < efforts.size(); ++r) {
    const ranks::Effort& e = efforts[r];
    folder.log(
        fmt::format("rank {} of {}: {:.3f} s of computing, {:.3f} s of waiting, {} messages with {} bytes, {} sums over ranks, "
                    "{} divisions of the bodies and {} choices of ghosts in {:.3f} s, {:.1f} MB of memory at most",
                    r, efforts.size(), e.computed, e.traffic.waited, e.traffic.messages, e.traffic.bytes, e.traffic.sums,
                    e.traffic.divisions, e.traffic.choices, e.traffic.divided, 1e-6 * static_cast<double>(e.memory)));
  }
  constexpr std::size_t most = 20;  // numbers, each the largest of a part of the run
  const std::vector<double>& all = ranks::crew()->imbalances();
  const std::size_t parts = std::min(most, all.size());
  std::string numbers;
  for (std::size_t k = 0; k < parts; ++k)
    numbers += fmt::format(" {:.2f}", *std::max_element(all.begin() + static_cast<std::ptrdiff_t>(k * all.size() / parts),
                                                        all.begin() + static_cast<std::ptrdiff_t>((k + 1) * all.size() / parts)));
  if (parts > 0)
    folder.log("work of the rank that has most over the mean, in every 100 steps since the last division:" + numbers);
}

// Where a resumed run goes on from; nothing if it was killed before its first checkpoint, when only the start is there.
template <int D>
std::optional<Checkpoint<D>> checkpoint_to_resume(const Scene<D>& scene, const RunFolder& folder, bool changed) {
  if (!folder.has_checkpoint() && folder.frame_count() <= 1) return std::nullopt;
  return checkpoint_of(folder, scene, changed ? SceneChange::accepted : SceneChange::refused);
}

template <int D>
nlohmann::ordered_json summary_of(const Checkpoint<D>& checkpoint, const Scene<D>& scene, const RunFolder& folder,
                                  const RunResult& result) {
  nlohmann::ordered_json j = summary(checkpoint, scene, folder.provenance());
  static constexpr const char* outcomes[] = {"finished", "interrupted",    "sweep_limit", "not_finite",
                                             "warned",   "cell_collapsed", "endless"};
  j["outcome"] = outcomes[static_cast<int>(result.outcome)];
  if (!result.reason.empty()) j["reason"] = result.reason;
  return j;
}

template <int D>
void note_end(const RunFolder& folder, const nlohmann::ordered_json& summary) {
  end_told = summary.at("complete").get<bool>() ? fmt::format("the run in {} is finished", folder.path().string())
                                                : what_is_left<D>(folder);
}

// A finished run, or one already beyond --until, is left as it is; only a summary that a kill took away is made up for.
template <int D>
int nothing_to_do(const Checkpoint<D>& at, const Scene<D>& scene, RunFolder& folder, const RunOptions& options) {
  const nlohmann::ordered_json j = summary_of(at, scene, folder, {});
  const bool complete = j.at("complete");
  if (options.settings && scene.text != folder.scene_text())
    throw SceneError(fmt::format("--set: {} is at t = {:.6g}, and no step is left in which that would act; accepted: with --until, or a "
                                 "duration, beyond it",
                                 folder.path().string(), at.state.time));
  if (complete && !folder.has_summary()) folder.write_summary(j.dump(2) + "\n");
  note_end<D>(folder, j);
  if (options.json)
    fmt::print("{}\n", j.dump(2));
  else if (complete)
    fmt::print("{} is finished (t = {:.6g}); nothing to resume\n", folder.path().string(), at.state.time);
  else
    fmt::print("{} is already at t = {:.6g}, not before --until {:.6g}; nothing to do\n", folder.path().string(), at.state.time,
               *options.until);
  return exit_ok;
}

template <int D>
void check_dump(const Scene<D>& scene, std::uint64_t done, const RunOptions& options) {
  if (options.dump_steps.empty()) return;
  for (const Phase<D>& phase : scene.phases)
    if (const std::string what = no_step_problem(phase.model); !what.empty())
      throw std::runtime_error(fmt::format("--dump-problem: the scene has {}, which the form W r + q = u does not hold", what));
  const double end = options.until ? std::min(*options.until, scene.duration) : scene.duration;
  const bool known = scene.phases.size() == 1 && std::isfinite(end);  // how many steps there will be
  const auto last = known ? static_cast<std::uint64_t>(std::llround(end / scene.model.time_step)) : 0;
  for (const std::uint64_t step : options.dump_steps)
    if (step <= done || (known && step > last))
      throw std::runtime_error(fmt::format("--dump-problem {}: this run makes the steps {} to {}", step, done + 1,
                                           known ? std::to_string(std::max(last, done + 1)) : std::string("its end")));
}

template <int D>
int run_to_end_in(const Scene<D>& scene, RunFolder& folder, bool resumed, const RunOptions& options) {
  folder.claim();
  std::optional<Checkpoint<D>> from;
  double end = options.until ? std::min(*options.until, scene.duration) : scene.duration;
  if (resumed) {
    from = checkpoint_to_resume(scene, folder, options.changed || options.settings);
    if (from && from->state.phase == 0 && !options.until)
      end += from->state.phase_start;  // where a run begun --from another began
    if (from && (is_complete(scene, from->state, from->report) ||
                 (options.until && from->state.time >= *options.until - 0.5 * scene.phases[from->state.phase].model.time_step)))
      return nothing_to_do(*from, scene, folder, options);
    check_dump(scene, from ? from->state.step : 0, options);
    if (options.strict && from && from->warnings.any()) throw StrictError(from->warnings);
    folder.provenance();  // damaged, it would spoil the summary at the end
    // A run that has just begun from another (--from) has written nothing that could be cut off, or be missing.
    const bool fresh = from && from->totals.steps == 0 && !std::filesystem::exists(folder.path() / series_file);
    if (!fresh)
      for (const std::string& sentence :
           folder.rewind(from ? from->frames : 0, from ? from->state.step : 0, from ? from->tables : TableLines{}))
        if (!options.json) fmt::print("warning: {}\n", sentence);
    if (!fresh)
      folder.log(fmt::format("resumed{} {}", options.settings && scene.text != folder.scene_text() ? " with " + options.set : "",
                             from ? fmt::format("at t = {:.6g} (step {})", from->state.time, from->state.step)
                                  : std::string("from the beginning, since no checkpoint is there")));
    if (options.settings) folder.change_scene(scene.text, from);
    if (from) tell_differences(*from, scene, folder, options.json);
  }
  if (options.until && *options.until > scene.duration && !options.json)
    fmt::print("the scene ends at t = {:.6g}, before --until {:.6g}{}\n", scene.duration, *options.until,
               scene.phases.size() > 1 ? "; a run is made longer by 'moreau resume DIR --set phase[NAME].duration=T'" : "");
  ProgressLine line(end);
  RunControls controls;
  controls.until = options.until;
  controls.threads = options.threads;
  controls.interrupt = &interrupted;
  controls.strict = options.strict;
  controls.dump_steps = options.dump_steps;
  controls.dump_global = options.dump_form == "global";
  if (!options.json) {
    controls.progress = [&](const Progress& p) {
      line.show(p);
      if (line.is_unread()) interrupted.store(true);
    };
    controls.warning = [&](const std::string& sentence) { line.say("warning: " + sentence); };
  }
  listen_to_signals();
  ask_for_files();
  folder_in_progress = folder.path().string();
  if (ranks::crew()) {
    ranks::tell_scene(D, options.threads, folder.scene_text(), folder.path().string());
    folder.log(ranks_sentence(scene, ranks::crew()->size()));
  }

  RunResult result;
  try {
    result = run_scene(scene, folder, from, controls);
  } catch (const EngineRefusal& error) {  // which would come again
    line.finish();
    throw std::runtime_error(fmt::format("{}; {}", error.what(), what_is_left_of_refused<D>(folder)));
  } catch (const std::runtime_error& error) {
    line.finish();
    throw std::runtime_error(fmt::format("{}; {}", error.what(), what_is_left<D>(folder)));
  }
  line.finish();
  if (ranks::crew()) log_efforts(folder);

  const nlohmann::ordered_json j = summary_of(folder.read_checkpoint<D>(), scene, folder, result);
  folder.write_summary(j.dump(2) + "\n");
  note_end<D>(folder, j);
  if (line.is_unread() || last_signal == SIGHUP) {  // nobody is there to read more
    complain(fmt::format("{}; {}", result.reason, what_is_left<D>(folder)));
    return exit_interrupted;
  }
  if (options.json)
    fmt::print("{}\n", j.dump(2));
  else
    fmt::print("{}", summary_table(j));

  const std::string path = shell_word(folder.path().string());
  if (!options.json) {
    fmt::print("\nfiles in {}: {}\nto look at it: moreau view {}; for ParaView: moreau export {}\n", path,
               files_of(folder.path(), result.frames), path, path);
    if (result.outcome == Outcome::finished && !j.at("complete").get<bool>()) fmt::print("go on with: moreau resume {}\n", path);
    if (result.outcome == Outcome::interrupted)
      fmt::print("{}; nothing is lost. Go on with: moreau resume {}\n", result.reason, path);
  }
  switch (result.outcome) {
    case Outcome::finished:
      return exit_ok;
    case Outcome::interrupted:
      return exit_interrupted;
    case Outcome::sweep_limit:
      complain(result.reason);
      return exit_unconverged;
    case Outcome::not_finite:
      complain(result.reason);
      return exit_not_finite;
    case Outcome::cell_collapsed:
      complain(result.reason);
      return exit_cell_collapsed;
    case Outcome::endless:
      complain(fmt::format("{}. The run is kept as it stands; go on with: moreau resume {} --set 'phase[{}].duration=T'",
                           result.reason, path, j.value("phase", std::string("NAME"))));
      return exit_endless;
    case Outcome::warned:
      fmt::print(stderr, "moreau: {}\n", result.reason);
      return exit_warned;
  }
  return exit_error;
}

}  // namespace

void add_run_options(CLI::App& command, RunOptions& options) {
  add_threads_option(command, options.threads);
  command.add_option("--until", options.until, "stop at this simulated time; `moreau resume` goes on from there")
      ->check(positive_number());
  command
      .add_option("--dump-problem", options.dump_steps,
                  "write the contact problem of this step (several may be given) to problem_STEP.hdf5 in the folder, an FCLIB "
                  "file for `moreau solve`")
      ->check([](const std::string& text) {
        const bool number = text.find_first_not_of("0123456789") == std::string::npos && text.size() < 19;
        return number ? std::string() : "is " + text + "; accepted: numbers of steps, from 1";
      });
  command.add_option("--dump-form", options.dump_form, "its form: local (W, q) or global (M, H, f, w)")
      ->check(CLI::IsMember({"local", "global"}))
      ->capture_default_str();
  command.add_flag(
      "--strict", options.strict,
      "refuse a scene with warnings, and stop at the first one of the run (exit status 5, with a checkpoint) or at a "
      "step that did not converge (3)");
  command.add_flag("--json", options.json, "print the end-of-run summary as JSON, and nothing else");
}

void check_dump_steps(const AnyScene& scene, const RunOptions& options) {
  std::visit([&](const auto& s) { check_dump(s, 0, options); }, scene);
}

void check_strict(const AnyScene& scene, const RunOptions& options) {
  std::visit(
      [&](const auto& s) {
        if (options.strict && s.warnings.any()) throw StrictError(s.warnings);
      },
      scene);
}

void check_device(const AnyScene& scene) {
  if (!gpu::card_is_asked_for()) return;
  std::visit(
      [](const auto& s) {
        for (const auto& phase : s.phases)
          if (const std::string what = what_no_card_takes(phase.model, s.bodies); !what.empty())
            throw std::runtime_error(fmt::format(
                "--device gpu: the scene has {}{}, which no step on a graphics card takes; --device auto makes such steps on the "
                "processor, and those that the card takes on the card",
                what, phase.name.empty() ? "" : fmt::format(" in the phase '{}'", phase.name)));
      },
      scene);
}

bool is_interrupted() { return interrupted.load(); }
std::string run_in_progress() { return folder_in_progress; }
std::string end_of_run() { return end_told; }

void check_ranks(const AnyScene& scene) {
  if (!ranks::crew()) return;
  if (gpu::card_is_asked_for())
    throw std::runtime_error("--device gpu: several ranks make their steps on processors alone; accepted with mpirun: auto, cpu");
  std::visit(
      [&](const auto& s) {
        for (const auto& phase : s.phases)
          if (const std::string why = ranks::refusal(phase.model); !why.empty()) throw std::runtime_error(why);
      },
      scene);
}

int run_to_end(const AnyScene& scene, RunFolder& folder, bool resumed, const RunOptions& options) {
  return std::visit([&](const auto& s) { return run_to_end_in(s, folder, resumed, options); }, scene);
}

}  // namespace moreau
