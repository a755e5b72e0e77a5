#include <fmt/format.h>

#include <memory>

#include "moreau/cli/command.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/runner/summary.hpp"
#include "moreau/store/frame_file.hpp"
#include "moreau/store/trajectory.hpp"

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
    nlohmann::ordered_json j = std::visit(
        [&]<int D>(const Scene<D>& scene) { return summary(checkpoint_of(run, scene), scene, run.provenance()); }, scene_of(run));
    // While a run goes on its frames are newer than its checkpoint.
    std::string newer;
    if (const std::uint64_t frames = run.frame_count(); frames > 0) {
      const FrameHeader newest = read_frame_header(frame_path(run.path(), frames - 1));
      j["newest_frame"] = {{"number", frames - 1}, {"step", newest.step}, {"time", newest.time}};
      if (newest.step > j.at("step").get<std::uint64_t>())
        newer = fmt::format("the above is of the last checkpoint; the newest frame is number {}, of step {} (t = {:.6g})\n",
                            frames - 1, newest.step, newest.time);
    }
    fmt::print("{}", o->json ? j.dump(2) + "\n" : summary_table(j) + newer);
    status = exit_ok;
  });
}

}  // namespace moreau
