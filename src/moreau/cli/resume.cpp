#include <memory>

#include "moreau/cli/carry_out.hpp"

namespace moreau {

void add_resume(CLI::App& app, int& status) {
  struct Options {
    std::string folder;
    CarryOutOptions carry;
    double until = 0.0;
  };
  auto o = std::make_shared<Options>();
  o->carry.threads = default_threads();
  CLI::App* command = app.add_subcommand("resume", "go on with a run that was interrupted, killed, or stopped with --until");
  command->add_option("DIR", o->folder, "folder of the run")->required();
  command->add_option("--threads", o->carry.threads, "threads (default: all cores); the result does not depend on it")
      ->check(CLI::Range(1, 1024));
  CLI::Option* until = command->add_option("--until", o->until, "stop at this simulated time")->check(positive_number());
  command->add_flag("--json", o->carry.json, "print the end-of-run summary as JSON, and nothing else");
  command->callback([o, until, &status] {
    RunFolder run = RunFolder::open(o->folder);
    if (until->count() > 0) o->carry.until = o->until;
    status = carry_out(scene_of(run), run, true, o->carry);
  });
}

}  // namespace moreau
