#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "moreau/cli/command.hpp"
#include "moreau/draw/plot/columns.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/runner/summary.hpp"
#include "moreau/store/frame_file.hpp"
#include "moreau/store/trajectory.hpp"

namespace moreau {

namespace {

// What series.csv says of a step; nothing where it does not (yet): its last line may be half written.
nlohmann::ordered_json row_of_step(const std::filesystem::path& run, std::uint64_t step) {
  nlohmann::ordered_json said = nlohmann::ordered_json::object();
  try {
    const Columns series = read_columns(run / "series.csv");
    const std::string wanted = fmt::format("{}", step);
    const std::size_t steps = series.find("step");
    const auto found =
        std::find_if(series.row.rbegin(), series.row.rend(), [&](const auto& row) { return row[steps] == wanted; });
    if (found == series.row.rend()) return said;
    for (const char* name : {"phase", "bodies", "contacts", "stick", "slide", "open", "sweeps", "relative_residual",
                             "max_penetration", "unbalanced_force", "max_speed", "kinetic"}) {
      const std::string& cell = (*found)[series.find(name)];
      const auto value = nlohmann::ordered_json::parse(cell, nullptr, false);
      said[name] = value.is_number() ? value : nlohmann::ordered_json(cell);
    }
  } catch (const std::runtime_error&) {
    said.clear();
  }
  return said;
}

std::string newest_table(const nlohmann::ordered_json& frame) {
  std::string text = "the newest frame:\n";
  for (const auto& [name, value] : frame.items())
    text += fmt::format("  {:<20}  {}\n", name,
                        value.is_number_float() ? fmt::format("{:.6g}", value.get<double>())
                        : value.is_string()     ? value.get<std::string>()
                                                : value.dump());
  return text + "the last checkpoint:\n";
}

}  // namespace

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
    std::string newest;
    if (const std::uint64_t frames = run.frame_count(); frames > 0) {
      const FrameHeader frame = read_frame_header(frame_path(run.path(), frames - 1));
      j["newest_frame"] = {{"number", frames - 1}, {"step", frame.step}, {"time", frame.time}};
      if (frame.step > j.at("step").get<std::uint64_t>()) {
        j["newest_frame"].update(row_of_step(run.path(), frame.step));
        newest = newest_table(j["newest_frame"]);
      }
    }
    fmt::print("{}", o->json ? j.dump(2) + "\n" : newest + summary_table(j));
    status = exit_ok;
  });
}

}  // namespace moreau
