#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <sstream>

#include "moreau/base/version.hpp"
#include "moreau/cli/carry_out.hpp"

namespace moreau {

void add_run(CLI::App& app, int& status) {
  struct Options {
    std::string scene, out;
    bool force = false;
    CarryOutOptions carry;
    double until = 0.0;
  };
  auto o = std::make_shared<Options>();
  o->carry.threads = default_threads();
  CLI::App* command = app.add_subcommand("run", "run a scene into a folder of its own");
  command->add_option("SCENE", o->scene, "scene file (TOML)")->required();
  command->add_option("--out", o->out, "folder of the run (default: NAME-run for NAME.toml)");
  command->add_option("--threads", o->carry.threads, "threads (default: all cores); the result does not depend on it")->check(CLI::Range(1, 1024));
  CLI::Option* until = command->add_option("--until", o->until, "stop at this simulated time; `moreau resume` goes on from there")->check(CLI::PositiveNumber);
  command->add_flag("--force", o->force, "replace an existing run in that folder");
  command->add_flag("--json", o->carry.json, "print the end-of-run summary as JSON, and nothing else");
  command->callback([o, until, &status] {
    const AnyScene scene = read_scene(o->scene);  // refused scenes leave no trace
    if (until->count() > 0) o->carry.until = o->until;
    const std::filesystem::path file(o->scene);
    const std::filesystem::path folder = o->out.empty() ? std::filesystem::path(file.stem().string() + "-run") : std::filesystem::path(o->out);
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    const std::uint64_t seed = std::visit([](const auto& s) { return s.seed; }, scene);
    RunFolder run = RunFolder::create(folder, text.str(), {MOREAU_VERSION, MOREAU_COMMIT, seed, o->carry.threads}, o->force);
    status = carry_out(scene, run, false, o->carry);
  });
}

}  // namespace moreau
