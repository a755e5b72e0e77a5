#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "moreau/cli/command.hpp"
#include "moreau/cli/frame_choice.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/store/paraview.hpp"

namespace moreau {

namespace {

struct ExportOptions {
  std::string folder, out, frames;
};

}  // namespace

void add_export(CLI::App& app, int& status) {
  auto o = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "the frames of a run as files for ParaView");
  command->add_option("DIR", o->folder, "folder of the run")->required();
  command->add_option("-o,--out", o->out, "folder for the files (default: DIR-paraview)");
  command->add_option("--frames", o->frames, "which: 0,5,9 or FIRST:LAST:STEP (default: all)");
  command->callback([o, &status] {
    const RunFolder run = RunFolder::open(o->folder);
    const std::uint64_t count = run.frame_count();
    if (count == 0) throw std::runtime_error(fmt::format("{} holds no frames", o->folder));
    std::vector<std::uint64_t> numbers;
    if (!o->frames.empty())
      numbers = chosen_frames(o->frames, count);
    else
      for (std::uint64_t k = 0; k < count; ++k) numbers.push_back(k);
    std::filesystem::path beside = std::filesystem::path(o->folder).lexically_normal();
    if (!beside.has_filename()) beside = beside.parent_path();
    const std::string out = o->out.empty() ? beside.string() + "-paraview" : o->out;
    ParaViewFolder folder(out);
    std::visit(
        [&](const auto& scene) {
          for (const std::uint64_t k : numbers) folder.add(k, frame_of(run, scene, k));
        },
        scene_of(run));
    fmt::print("{} frames; open in ParaView, in {}: {}\n", numbers.size(), out, fmt::join(folder.finish(), ", "));
    status = exit_ok;
  });
}

}  // namespace moreau
