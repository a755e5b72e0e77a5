#include <memory>

#include "moreau/cli/carry_out.hpp"

namespace moreau {

void add_resume(CLI::App& app, int& status) {
  struct Options {
    std::string folder;
    CarryOutOptions carry;
  };
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("resume", "go on with a run that was interrupted, killed, or stopped with --until");
  command->add_option("DIR", o->folder, "folder of the run")->required();
  add_carry_out_options(*command, o->carry);
  command->add_flag("--changed", o->carry.changed, "go on although scene.toml was changed since; the log notes it");
  command->callback([o, &status] {
    RunFolder run = RunFolder::open(o->folder);
    const AnyScene scene = scene_of(run);
    check_strict(scene, o->carry);
    status = carry_out(scene, run, true, o->carry);
  });
}

}  // namespace moreau
