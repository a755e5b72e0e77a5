// moreau sweep: many runs of one scene, as processes of their own, several at a time.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "moreau/cli/command.hpp"
#include "moreau/cli/sweep_plan.hpp"
#include "moreau/cli/sweep_values.hpp"
#include "moreau/measure/table.hpp"
#include "moreau/store/disk.hpp"
#include "moreau/store/lock.hpp"

extern char** environ;

namespace moreau {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string scene, out, seeds, phase;
  std::vector<std::string> settings, values, data, only;
  int jobs = 1, threads = 1;
  std::optional<double> until;
  bool force = false;
};

std::atomic<bool> stopped{false};
extern "C" void on_stop(int) { stopped.store(true); }

// What has become of a run.
struct RunStanding {
  std::string status;  // finished, stopped (by --until), failed, interrupted, waiting
  std::string reason;
  nlohmann::json summary;
};

std::string last_line(const fs::path& file) {
  std::ifstream stream;
  if (fs::is_regular_file(file)) stream.open(file);  // a pipe would wait for its writer
  std::string line, last;
  while (std::getline(stream, line))
    if (!line.empty()) last = line;
  return last.starts_with("moreau: ") ? last.substr(8) : last;
}

class ManyRuns {
 public:
  ManyRuns(const Options& o, SweepPlan plan) : o_(o), plan_(std::move(plan)) {
    folder_ = o.out.empty() ? fs::path(fs::path(o.scene).stem().string() + "-sweep") : fs::path(o.out);
    for (const std::string& text : o.values) {
      ToldValue value = read_told_value(text);
      value.data = o.data, value.only = o.only;
      check_told_value(value);
      if (std::ranges::count(plan_.keys, value.name, &SweptKey::key) > 0)
        throw std::runtime_error(fmt::format("--value is '{}', but the table of this sweep has a column '{}' already, of what is varied; "
                                             "accepted: another name",
                                             text, value.name));
      if (std::ranges::count(values_, value.name, &ToldValue::name) > 0)
        throw std::runtime_error(fmt::format("--value names '{}' twice; accepted: another name for each", value.name));
      values_.push_back(std::move(value));
    }
  }

  // Every combination of values is checked before the first run begins, with its first seed. Two that make the same scene set one
  // place of it under two names (grains.count, grains[1].count).
  void check() const {
    const bool seeds = plan_.keys.back().key == "seed";
    std::set<std::vector<std::string>> checked;
    std::map<std::string, std::size_t> scenes;
    for (std::size_t run = 0; run < plan_.runs.size(); ++run) {
      std::vector<std::string> values = plan_.runs[run];
      if (seeds) values.pop_back();
      if (!checked.insert(std::move(values)).second) continue;
      parse_scene(plan_.scene, o_.scene, fs::path(o_.scene).parent_path(), plan_.settings(run));
      if (const auto [same, first] = scenes.emplace(with_settings(plan_.scene, plan_.settings(run)), run); !first)
        throw SceneError(fmt::format("the runs with {} and with {} have the same scene; accepted: one name for each key",
                                     words(same->second), words(run)));
    }
  }

  void prepare() {
    const fs::path file = folder_ / "sweep.json", told = folder_ / "values.json";
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw std::runtime_error(fmt::format("{}: cannot be made: {}", folder_.string(), error.message()));
    lock_.emplace(folder_);  // nothing is looked at or removed before
    if (fs::exists(file) && o_.force)
      for (const char* name : {"sweep.json", "values.json", "table.csv", "scene.toml", "runs"}) fs::remove_all(folder_ / name);
    if (fs::exists(file)) {
      const SweepPlan before = read_plan(file);
      const std::optional<SweepPlan> all = extended(before, plan_);
      if (!all)
        throw std::runtime_error(
            fmt::format("{} holds a sweep of another scene or of other keys; accepted: the same scene and "
                        "keys, to go on with it or to add values, another --out, or --force",
                        folder_.string()));
      plan_ = *all;
      if (const std::size_t added = plan_.runs.size() - before.runs.size(); added > 0)
        fmt::print("{} runs are added to the {} of {}\n", added, before.runs.size(), folder_.string());
    } else {
      if (fs::exists(folder_) && !fs::is_empty(folder_))
        throw std::runtime_error(
            fmt::format("{} is no folder of a sweep and not empty; accepted: another --out", folder_.string()));
      fs::create_directories(folder_ / "runs");
    }
    write_whole(file, plan_as_json(plan_).dump(2) + "\n", Sync::now);
    write_whole(folder_ / "scene.toml", plan_.scene, Sync::later);
    std::vector<ToldValue> all = read_told_values(told);
    for (ToldValue& value : values_) {
      const auto same = std::ranges::find(all, value.name, &ToldValue::name);
      same == all.end() ? static_cast<void>(all.push_back(value)) : static_cast<void>(*same = value);
    }
    values_ = std::move(all);
    if (!values_.empty()) write_whole(told, told_values_as_json(values_).dump(2) + "\n", Sync::later);
    for (std::size_t run = 0; run < plan_.runs.size(); ++run) check_place(run);
  }

  int run_all() {
    for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGHUP}) std::signal(signal, on_stop);
    std::size_t next = 0, done = 0;
    const std::size_t count = plan_.runs.size();
    std::map<pid_t, std::size_t> at_work;
    for (std::size_t run = 0; run < count; ++run) done += is_done(standing(run)) ? 1 : 0;
    if (done > 0) fmt::print("{} of {} runs are there already\n", done, count);
    write_table();  // who looks on from the first run on finds what is planned
    if (done < count) fmt::print("{} runs in {}, {} at a time; each is told when it has ended\n", count - done, folder_.string(), o_.jobs);
    std::fflush(stdout);
    while (next < count || !at_work.empty()) {
      while (!stopped && next < count && at_work.size() < static_cast<std::size_t>(o_.jobs)) {
        if (!is_done(standing(next))) at_work[start(next)] = next;
        ++next;
      }
      if (stopped && next < count + 1) {  // told once: a second signal would end a run without its checkpoint
        next = count + 1;
        for (const auto& [child, run] : at_work) ::kill(child, SIGINT);
      }
      if (at_work.empty()) break;
      int result = 0;
      const pid_t child = ::waitpid(-1, &result, WNOHANG);
      if (child == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (child <= 0) continue;
      const auto found = at_work.find(child);
      if (found == at_work.end()) continue;
      const std::size_t run = found->second;
      at_work.erase(found);
      const RunStanding now = standing(run);
      fmt::print("[{}/{}] {} {}: {}{}\n", ++done, count, run_name(run), words(run), now.status,
                 now.reason.empty() ? "" : " (" + now.reason + ")");
      std::fflush(stdout);
      write_table();
    }
    write_table();
    return conclude();
  }

 private:
  // A run that was moved here from elsewhere, or whose scene was edited, would stand in the table with values it does not have.
  void check_place(std::size_t run) const {
    if (!RunFolder::is_run(run_folder(run))) return;
    const std::string scene = RunFolder::open(run_folder(run)).scene_text();
    for (const Setting& setting : plan_.settings(run)) {
      char* end = nullptr;
      std::strtod(setting.value.c_str(), &end);
      if (setting.value.empty() || *end != 0) continue;  // the name of a file: its content is in the scene of the run
      if (with_settings(scene, {setting}) != scene)
        throw std::runtime_error(
            fmt::format("{} holds another run than {}, which the sweep has there; put the runs back as they "
                        "were, or make them anew with --force",
                        run_folder(run).string(), words(run)));
    }
  }

  fs::path run_folder(std::size_t run) const { return folder_ / "runs" / run_name(run); }
  fs::path error_file(std::size_t run) const { return folder_ / "runs" / (run_name(run) + ".err"); }

  std::string words(std::size_t run) const {
    std::string all;
    for (const Setting& setting : plan_.settings(run)) all += (all.empty() ? "" : ", ") + setting.text();
    return all;
  }

  RunStanding standing(std::size_t run) const {
    RunStanding now{"waiting", "", {}};
    const fs::path file = run_folder(run) / "summary.json";
    if (std::ifstream stream; fs::is_regular_file(file) && (stream.open(file), stream)) now.summary = nlohmann::json::parse(stream, nullptr, false);
    const bool whole = now.summary.is_object() && now.summary.contains("outcome");
    if (whole && now.summary["outcome"] == "finished") {
      now.status = now.summary.value("complete", false) ? "finished" : "stopped";
      return now;
    }
    if (whole && now.summary["outcome"] != "finished") {
      now.status = now.summary["outcome"] == "interrupted" ? "interrupted" : "failed";
      now.reason = now.summary.value("reason", "");
    } else if (const std::string said = last_line(error_file(run)); !said.empty()) {
      now.status = "failed", now.reason = said;
    } else if (RunFolder::is_run(run_folder(run))) {
      now.status = "interrupted";
    }
    return now;
  }

  // Whether nothing is left to do for it by this command.
  bool is_done(const RunStanding& now) const {
    if (now.status != "stopped") return now.status == "finished";
    return o_.until && now.summary.value("time", 0.0) >= *o_.until - 0.5 * now.summary.value("time_step", 0.0);
  }

  // `moreau run`, or `moreau resume` of one that was begun. Throws if the machine refuses the process.
  pid_t start(std::size_t run) {
    std::vector<std::string> words{"moreau"};
    const fs::path folder = run_folder(run);
    if (RunFolder::is_run(folder)) {
      words.insert(words.end(), {"resume", folder.string()});
    } else {
      words.insert(words.end(), {"run", o_.scene, "--out", folder.string()});
      for (const Setting& setting : plan_.settings(run)) words.insert(words.end(), {"--set", setting.text()});
    }
    words.insert(words.end(), {"--json", "--threads", std::to_string(o_.threads)});
    if (o_.until) words.insert(words.end(), {"--until", fmt::format("{}", *o_.until)});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const std::string errors = error_file(run).string();
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawnattr_t group;  // of its own: Ctrl-C reaches the sweep alone, which tells its runs
    posix_spawnattr_init(&group);
    posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    pid_t child = 0;
    const int failure = posix_spawn(&child, "/proc/self/exe", &files, &group, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files), posix_spawnattr_destroy(&group);
    if (failure != 0)
      throw std::runtime_error(fmt::format("run {} cannot be started: {}", run_name(run), std::strerror(failure)));
    return child;
  }

  // table.csv: what each run is, what became of it, and the values asked for.
  void write_table() const {
    std::vector<measure::Cell> header{"run"};
    for (const SweptKey& key : plan_.keys) header.emplace_back(key.key);
    header.emplace_back("status");
    for (const char* name : columns_of_end) header.emplace_back(name);
    for (const char* name : columns_of_steps) header.emplace_back(name);
    header.emplace_back("warnings");
    for (const ToldValue& value : values_) header.emplace_back(value.name);
    header.emplace_back("reason");
    std::string text = measure::csv_row(header) + "\n";
    for (std::size_t run = 0; run < plan_.runs.size(); ++run) {
      RunStanding now = standing(run);
      std::vector<measure::Cell> row{run_name(run)};
      for (const Setting& setting : plan_.settings(run)) row.emplace_back(setting.value);
      row.emplace_back(now.status);
      for (const char* name : columns_of_end)
        row.emplace_back(!now.summary.is_object() || !now.summary.contains(name) ? std::string()
                         : now.summary[name].is_string()                         ? now.summary[name].get<std::string>()
                                                                                 : now.summary[name].dump());
      const bool whole = now.summary.is_object() && now.summary.contains("run");
      for (const char* name : columns_of_steps)
        row.emplace_back(whole ? now.summary["run"].value(name, nlohmann::json()).dump() : std::string());
      row.emplace_back(whole && now.summary.contains("warnings") ? fmt::format("{}", now.summary["warnings"].size())
                                                                 : std::string());
      for (const ToldValue& value : values_) {
        std::string cell;
        if (now.status == "finished" || now.status == "stopped") try {
            cell = fmt::format("{}", told_value(value, run_folder(run)));
          } catch (const std::runtime_error& error) {
            now.reason = error.what();
          }
        row.emplace_back(cell);
      }
      row.emplace_back(now.reason);
      text += measure::csv_row(row) + "\n";
    }
    write_whole(folder_ / "table.csv", text, Sync::later);
  }

  int conclude() const {
    std::map<std::string, std::size_t> counts;
    std::size_t done = 0;
    for (std::size_t run = 0; run < plan_.runs.size(); ++run) {
      const RunStanding now = standing(run);
      ++counts[now.status], done += is_done(now) ? 1 : 0;
    }
    const std::size_t finished = counts["finished"], halted = counts["stopped"];
    fmt::print("{} of {} runs are finished{}; the table is {}\n", finished, plan_.runs.size(),
               halted > 0 ? fmt::format(", {} stopped by --until", halted) : "", (folder_ / "table.csv").string());
    if (finished > 0 && halted > 0)
      complain("warning: runs that --until has stopped and finished ones do not end alike, and what is told of them cannot be compared; the same "
               "command without --until finishes all");
    for (std::size_t run = 0; run < plan_.runs.size() && counts["failed"] > 0; ++run)
      if (const RunStanding now = standing(run); now.status == "failed")
        fmt::print("failed: {} ({}): {}\n", run_name(run), words(run), now.reason);
    const bool told = tell_doubts();
    if (stopped) {
      fmt::print("interrupted; go on with the same command\n");
      return exit_interrupted;
    }
    return done == plan_.runs.size() && told ? exit_ok : exit_error;
  }

  // Runs that have ended and are not to be trusted blindly, and values that could not be told. Returns whether all values could.
  bool tell_doubts() const {
    std::size_t unconverged = 0, warned = 0, untold = 0;
    std::string first;
    for (std::size_t run = 0; run < plan_.runs.size(); ++run) {
      const RunStanding now = standing(run);
      if (now.status != "finished" && now.status != "stopped") continue;
      unconverged += now.summary.contains("run") && now.summary["run"].value("unconverged_steps", 0) > 0 ? 1 : 0;
      warned += now.summary.contains("warnings") && !now.summary["warnings"].empty() ? 1 : 0;
      for (const ToldValue& value : values_) try {
          told_value(value, run_folder(run));
        } catch (const std::runtime_error& error) {
          if (untold++ == 0) first = fmt::format("--value {} of run {}: {}", value.text(), run_name(run), error.what());
        }
    }
    if (unconverged > 0)
      fmt::print("{} of them have steps that did not converge (unconverged_steps in the table)\n", unconverged);
    if (warned > 0) fmt::print("{} of them have warnings (in their summary.json)\n", warned);
    if (untold > 0) complain(fmt::format("{}{}", first, untold > 1 ? fmt::format(" (and {} others)", untold - 1) : ""));
    return untold == 0;
  }

  const Options& o_;
  SweepPlan plan_;
  fs::path folder_;
  std::optional<Lock> lock_;
  std::vector<ToldValue> values_;
};

}  // namespace

void add_sweep(CLI::App& app, int& status) {
  auto o = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("sweep", "many runs of one scene with other values and seeds; goes on where it was left");
  command->add_option("SCENE", o->scene, "scene file (TOML)")->required();
  command
      ->add_option(
          "--set", o->settings,
          "KEY=VALUE,VALUE,...: a key of the scene and its values, as law.friction=0.1,0.2,0.3 or 0.1:0.5:0.1; may be repeated, "
          "every combination is run")
      ->allow_extra_args(false);
  command->add_option("--seeds", o->seeds, "seeds, as 1:8 or 1,2,5");
  command->add_option("--jobs", o->jobs, "runs at a time")->check(CLI::Range(1, 1024))->capture_default_str();
  command->add_option("--threads", o->threads, "threads of each run")->check(CLI::Range(1, 1024))->capture_default_str();
  command->add_option("--until", o->until, "stop every run at this simulated time")->check(positive_number());
  command->add_option("--out", o->out, "folder of the sweep (default: NAME-sweep for NAME.toml)");
  command
      ->add_option(
          "--value", o->values,
          "NAME=FUNCTION(FORMULA): a column of the table; mean, last, max, min or sd of a formula over the rows of --data")
      ->allow_extra_args(false);
  command->add_option("--data", o->data, "CSV files in the folder of a run (default: series.csv)")->allow_extra_args(false);
  command->add_option("--only", o->only, "rows to keep, as phase=shear or \"time>28\"")->allow_extra_args(false);
  command->add_option("--phase", o->phase, "rows of this phase alone");
  command->add_flag("--force", o->force, "replace the sweep that the folder holds");
  command->footer(
      "The same command goes on; one with further values of the same keys adds their runs. Exit status: 0 if all runs finished "
      "(or came to --until) and all values could be told, 1 if not (the table says which and why), 130 if interrupted.");
  command->callback([o, &status] {
    if (!o->phase.empty()) o->only.push_back("phase=" + o->phase);
    std::vector<SweptKey> keys;
    for (const std::string& text : o->settings) keys.push_back(read_swept_key(text));
    if (!o->seeds.empty()) {
      SweptKey seeds{"seed", {}};
      for (const std::uint64_t seed : read_seeds(o->seeds)) seeds.values.push_back(std::to_string(seed));
      keys.push_back(std::move(seeds));
    }
    if (keys.empty()) throw std::runtime_error("a sweep needs something to change; accepted: --set KEY=VALUE,VALUE or --seeds");
    refuse_repeated(keys);
    ManyRuns sweep(*o, plan_of(std::move(keys), scene_file_text(o->scene)));
    sweep.check();
    sweep.prepare();
    status = sweep.run_all();
  });
}

}  // namespace moreau
