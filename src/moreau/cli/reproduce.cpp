#include <fmt/format.h>

#include <memory>
#include <regex>

#include "moreau/base/nearest.hpp"
#include "moreau/cli/command.hpp"
#include "moreau/cli/experiments.hpp"
#include "moreau/cli/interpreter.hpp"

namespace moreau {

namespace {

struct ReproduceOptions {
  std::string name, out, threads, packings, without, samples;
  int largest = 0;  // 0: all
  int jobs = 1;
  bool quick = false;
};

void print_list() {
  fmt::print("experiments of 'moreau reproduce NAME' (docs/experiments.md shows their results)\n");
  std::size_t longest = 0;
  for (const Experiment& e : experiments()) longest = std::max(longest, std::string_view(e.name).size());
  for (const Experiment& e : experiments()) fmt::print("  {:<{}} {}\n", e.name, longest, e.title);
}

/// A number, or numbers for some sizes: 5, 1936:3,3025:2.
std::string is_number_of_samples(const std::string& text) {
  static const std::regex accepted("[1-9][0-9]{0,5}|[1-9][0-9]{0,8}:[1-9][0-9]{0,5}(,[1-9][0-9]{0,8}:[1-9][0-9]{0,5})*");
  if (std::regex_match(text, accepted)) return {};
  return fmt::format("'{}' is no number of samples; accepted: a number from 1 on, as 5, or numbers for sizes, as 1936:3,3025:2", text);
}

void run_experiment(const ReproduceOptions& o) {
  std::vector<std::string> names, words;
  if (o.quick) words.emplace_back("--quick");
  if (!o.out.empty()) words.insert(words.end(), {"--out", o.out});
  if (!o.threads.empty()) words.insert(words.end(), {"--threads", o.threads});
  if (o.jobs > 1) words.insert(words.end(), {"--jobs", std::to_string(o.jobs)});
  if (!o.samples.empty()) words.insert(words.end(), {"--samples", o.samples});
  if (o.largest > 0) words.insert(words.end(), {"--largest", std::to_string(o.largest)});
  if (!o.packings.empty()) words.insert(words.end(), {"--packings", o.packings});
  if (!o.without.empty()) words.insert(words.end(), {"--without", o.without});
  for (const Experiment& e : experiments()) {
    if (e.name == o.name) become_python({"experiments", "matplotlib, numpy, scipy, moreau.experiment", e.script.string()}, words);
    names.push_back(e.name);
  }
  throw std::runtime_error(fmt::format("there is no experiment '{}'; {}", o.name, suggestion(o.name, names)));
}

}  // namespace

void add_reproduce(CLI::App& app, int& status) {
  auto o = std::make_shared<ReproduceOptions>();
  CLI::App* command =
      app.add_subcommand("reproduce", "a published experiment: runs it and shows published and computed numbers side by side");
  command->add_option("NAME", o->name, "of the experiment; without it they are listed");
  command->add_flag("--quick", o->quick, "a reduced form that takes seconds");
  command->add_option("--out", o->out, "folder of the page and the runs (default: reproduce-NAME); a run there is gone on with");
  command->add_option("--threads", o->threads, "of its runs: a number, or auto (default)")
      ->check([](const std::string& text) { return text == "auto" ? std::string() : CLI::Range(1, 1024)(text); },
              "auto or INT in [1 - 1024]");
  command->add_option("--jobs", o->jobs, "processes that make runs and pieces side by side (default: 1); results do not depend on it")
      ->check(CLI::Range(1, 1024));
  command->add_option("--samples", o->samples, "of every kind at most, where an experiment has several, or of sizes: 1936:3,3025:2")
      ->check(is_number_of_samples, "INT or SIZE:INT,...");
  command->add_option("--largest", o->largest, "leave out samples of more bodies than this")->check(CLI::Range(1, 1000000000));
  command->add_option("--packings", o->packings,
                      "folder of samples that several experiments share, made once (default: each has its own in --out)");
  command->add_option("--without", o->without, "long parts of an experiment to leave out, by item: C26,C29");
  command->callback([o, &status] {
    status = exit_ok;
    if (o->name.empty()) return print_list();
    run_experiment(*o);
  });
}

}  // namespace moreau
