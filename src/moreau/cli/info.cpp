#include <fmt/format.h>

#include <memory>

#include "moreau/cli/command.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/runner/summary.hpp"

namespace moreau {

void add_info(CLI::App& app, int& status) {
  struct Options {
    std::string folder;
    bool json = false;
  };
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("info", "the state of a run in numbers");
  command->add_option("DIR", o->folder, "folder of the run")->required();
  command->add_flag("--json", o->json, "as JSON");
  command->callback([o, &status] {
    const RunFolder run = RunFolder::open(o->folder);
    const nlohmann::ordered_json j = std::visit(
        [&]<int D>(const Scene<D>& scene) { return summary(checkpoint_of(run, scene), scene, run.provenance()); }, scene_of(run));
    fmt::print("{}", o->json ? j.dump(2) + "\n" : summary_table(j));
    status = exit_ok;
  });
}

}  // namespace moreau
