#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>

#include "moreau/base/version.hpp"
#include "moreau/cli/command.hpp"
#include "moreau/cli/experiments.hpp"
#include "moreau/cli/progress_line.hpp"
#include "moreau/reproduce/page.hpp"
#include "moreau/scene/nearest.hpp"

namespace moreau {

namespace {

std::atomic<bool> interrupted{false};
extern "C" void stop_reproducing(int signal) {
  interrupted.store(true);
  std::signal(signal, SIG_DFL);
}

struct ReproduceOptions {
  std::string name, out;
  bool quick = false;
  int threads = 1;
};

void print_list() {
  fmt::print("experiments of 'moreau reproduce NAME' (docs/experiments.md shows their results)\n");
  for (const reproduce::Experiment& e : reproduce::experiments()) fmt::print("  {:<20} {} ({})\n", e.name, e.title, e.source);
}

const reproduce::Experiment& experiment_named(const std::string& name) {
  std::vector<std::string> names;
  for (const reproduce::Experiment& e : reproduce::experiments()) {
    if (e.name == name) return e;
    names.push_back(e.name);
  }
  throw std::runtime_error(fmt::format("there is no experiment '{}'; {}", name, suggestion(name, names)));
}

// One progress line at a time, with the name of its run above it.
class Screen {
 public:
  void say(const std::string& line) {
    finish();
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }
  void show(const std::string& run, const Progress& p) {
    if (run != run_) {  // the end follows from the progress of two steps, also where a run is gone on with
      say("run " + run);
      run_ = run, first_ = p;
      return;
    }
    if (!line_) {
      const double share = p.fraction - first_.fraction, time = p.report.time - first_.report.time;
      line_ = std::make_unique<ProgressLine>(p.report.time + (share > 0.0 ? (1.0 - p.fraction) * time / share : 0.0));
    }
    line_->show(p);
    if (p.fraction >= 1.0) finish();
  }
  void finish() {
    if (line_) line_->finish();
    line_.reset();
  }

 private:
  std::string run_;
  Progress first_;  // of this run
  std::unique_ptr<ProgressLine> line_;
};

int carry_out_experiment(const ReproduceOptions& o) {
  const reproduce::Experiment& experiment = experiment_named(o.name);
  const auto start = std::chrono::steady_clock::now();
  oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(o.threads));
  std::signal(SIGINT, stop_reproducing);
  std::signal(SIGTERM, stop_reproducing);
  Screen screen;
  reproduce::Workshop workshop;
  workshop.quick = o.quick;
  workshop.folder = o.out.empty() ? "reproduce-" + o.name + (o.quick ? "-quick" : "") : o.out;
  workshop.threads = o.threads;
  workshop.interrupt = &interrupted;
  workshop.say = [&](const std::string& line) { screen.say(line); };
  workshop.progress = [&](const std::string& run, const Progress& p) { screen.show(run, p); };
  std::filesystem::create_directories(workshop.folder);
  reproduce::Report report;
  try {
    report = experiment.carry_out(workshop);
  } catch (const reproduce::Interrupted& stop) {
    screen.finish();
    fmt::print("{}\n", stop.what());
    return exit_interrupted;
  }
  screen.finish();
  reproduce::Circumstances c;
  c.command = fmt::format("moreau reproduce {}{}", o.name, o.quick ? " --quick" : "");
  c.version = fmt::format("{} ({})", MOREAU_VERSION, MOREAU_COMMIT);
  c.seconds = workshop.seconds_before + std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  c.quick = o.quick;
  c.quality = workshop.quality;
  reproduce::write_results(experiment, report, c, workshop.folder / "results.json");
  reproduce::write_page(experiment, report, c, workshop.folder / "index.html");
  using reproduce::Verdict;
  for (const reproduce::Section& section : report.sections)
    for (const reproduce::Row& row : section.rows) {
      static constexpr const char* words[] = {"agrees ", "DIFFERS", "       "};
      fmt::print("{}  {}: {} (published or exact: {})\n", words[static_cast<int>(row.verdict)], row.quantity, row.computed,
                 row.published);
    }
  fmt::print("{}\n", workshop.quality.sentence());
  fmt::print("{} agree, {} differ, {} without a published value\nwrote {} and results.json beside it\n",
             report.count(Verdict::agrees), report.count(Verdict::differs), report.count(Verdict::shown),
             (workshop.folder / "index.html").string());
  return exit_ok;
}

}  // namespace

void add_reproduce(CLI::App& app, int& status) {
  auto o = std::make_shared<ReproduceOptions>();
  CLI::App* command =
      app.add_subcommand("reproduce", "a published experiment: runs it and shows published and computed numbers side by side");
  command->add_option("NAME", o->name, "of the experiment; without it they are listed");
  command->add_flag("--quick", o->quick, "a reduced form that takes seconds");
  command->add_option("--out", o->out, "folder of the page and the runs (default: reproduce-NAME); a run there is gone on with");
  add_threads_option(*command, o->threads);
  command->callback([o, &status] {
    status = exit_ok;
    if (o->name.empty()) return print_list();
    for (const Experiment& e : experiments()) {
      if (e.name != o->name) continue;
      std::vector<std::string> words{"--threads", std::to_string(o->threads)};
      if (o->quick) words.emplace_back("--quick");
      if (!o->out.empty()) words.insert(words.end(), {"--out", o->out});
      become_script(e.script, words);
    }
    status = carry_out_experiment(*o);
  });
}

}  // namespace moreau
