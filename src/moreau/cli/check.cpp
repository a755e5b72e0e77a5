#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "moreau/base/printable.hpp"
#include "moreau/bodies/body_names.hpp"
#include "moreau/cli/command.hpp"
#include "moreau/runner/summary.hpp"

namespace moreau {

namespace {

template <int D>
nlohmann::ordered_json describe(const Scene<D>& scene) {
  std::size_t free = 0, blocks = 0;
  double mass = 0.0;
  struct Range {
    double least = HUGE_VAL, most = 0.0;
    bool empty() const { return most == 0.0; }
  } radii, reaches;  // of free grains; of the balls that hold the free blocks
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    blocks += scene.bodies.is_round(i) ? 0 : 1;
    if (!scene.bodies.is_free(i)) continue;
    ++free;
    mass += scene.bodies.parameters.mass[i];
    Range& range = scene.bodies.is_round(i) ? radii : reaches;
    range = {std::min(range.least, scene.bodies.parameters.radius[i]), std::max(range.most, scene.bodies.parameters.radius[i])};
  }
  nlohmann::ordered_json j;
  j["valid"] = true;
  j["title"] = scene.title;
  j["dimension"] = D;
  j["bodies"] = scene.bodies.size();
  j["free_bodies"] = free;
  if (blocks > 0) j["blocks"] = blocks;
  for (const NameOfBodies& name : names_of_bodies(scene.named)) {  // first and last; of several stretches a list of these
    nlohmann::ordered_json stretches;
    for (const NamedBodies& s : name.stretches) stretches.push_back({s.first, s.first + s.count - 1});
    j["names"][name.name] = stretches.size() == 1 ? stretches[0] : stretches;
  }
  j["walls"] = scene.model.walls.size();
  for (const auto& wall : scene.model.walls)
    if (wall.geometry.mesh) {
      const MeshBorders borders = borders_of(wall.geometry.mesh->mesh);
      j["meshes"][wall.name] = {{D == 2 ? "segments" : "triangles", wall.geometry.mesh->mesh.faces.size()},
                                {D == 2 ? "ends" : "open_edges", borders.open},
                                {"branching", borders.branching}};
      for (int d = 0; d < D; ++d) {  // where it is: a file in other units is seen here
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (const Vec<D>& corner : wall.geometry.mesh->mesh.vertices)
          low = std::min(low, corner[d] + wall.geometry.point[d]), high = std::max(high, corner[d] + wall.geometry.point[d]);
        j["meshes"][wall.name][std::string(1, "xyz"[d])] = {low, high};
      }
    }
  j["sources"] = scene.model.sources.size();
  if (!scene.model.sinks.empty()) j["sinks"] = scene.model.sinks.size();
  j["materials"] = scene.model.materials.size();
  j["mass"] = mass;
  if (!radii.empty()) j["radii"] = {radii.least, radii.most};
  if (!reaches.empty()) j["block_reaches"] = {reaches.least, reaches.most};
  j["contact_rule"] = scene.model.rule == ContactRule::midpoint ? "midpoint" : "predictive";
  if (scene.model.contact_distance > 0.0) j["contact_distance"] = scene.model.contact_distance;
  j["time_step"] = scene.model.time_step;
  if (std::isfinite(scene.duration)) {
    double steps = 0.0;
    for (const auto& phase : scene.phases) steps += phase.duration / phase.model.time_step;
    j["duration"] = scene.duration;
    j["steps"] = static_cast<std::uint64_t>(std::llround(steps));
  }
  if (!scene.model.pistons.empty()) j["pistons"] = scene.model.pistons.size();
  if (scene.model.cell.start.any()) j["cell_volume"] = scene.model.cell.start.volume();
  for (const auto& phase : scene.phases)
    if (!phase.name.empty()) j["phases"].push_back(phase.name);
  j["seed"] = scene.seed;
  j["warnings"] = warnings_as_json(scene.warnings);
  return j;
}

constexpr std::size_t most_told = 12;  // names in one line

// "left slope 0, arch 1 to 12" instead of the brackets of JSON; numbers with the digits that mean something.
std::string in_words(const nlohmann::ordered_json& value) {
  if (value.is_string()) return printable(value.get<std::string>());
  if (value.is_number_float()) return fmt::format("{:.10g}", value.get<double>());
  if (!value.is_structured()) return value.dump();
  std::string list;
  const bool range = value.is_array() && value.size() == 2 && value[0].is_number();
  if (range && value[0] == value[1]) return in_words(value[0]);
  std::size_t told = 0;
  for (const auto& [key, part] : value.items()) {
    const bool ranges = value.is_array() && part.is_array();  // "wall 1 to 2 and 4"
    if ((value.is_object() || ranges) && value.size() > most_told && told++ == most_told)
      return list + fmt::format(" and {} more (all with --json)", value.size() - most_told);
    if (!list.empty()) list += range ? " to " : part.is_object() ? "; " : ranges ? " and " : ", ";
    if (value.is_object()) list += printable(key) + " ";
    list += in_words(part);
  }
  return list;
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  struct Options {
    std::string scene;
    std::vector<std::string> settings;
    bool json = false, strict = false;
  };
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "read a scene, say what is in it or what is wrong; runs and writes nothing");
  command->add_option("SCENE", o->scene, "scene file (TOML)")->required();
  add_settings_option(*command, o->settings);
  command->add_flag("--json", o->json, "as JSON");
  command->add_flag("--strict", o->strict, "end with status 5 if there is a warning");
  command->callback([o, &status] {
    nlohmann::ordered_json j;
    try {
      j = std::visit([](const auto& scene) { return describe(scene); }, read_scene(o->scene, settings_of(o->settings)));
    } catch (const SceneError& e) {
      if (!o->json) throw;
      fmt::print("{}\n", nlohmann::ordered_json{{"valid", false}, {"error", e.what()}}.dump(2));
      status = exit_error;
      return;
    }
    if (o->json) {
      fmt::print("{}\n", j.dump(2));
    } else {
      fmt::print("{} is a valid scene:\n", o->scene);
      for (const auto& [key, value] : j.items())
        if (key != "valid" && key != "warnings") fmt::print("  {:<18}{}\n", key, in_words(value));
      for (const auto& warning : j.at("warnings")) fmt::print("warning: {}\n", warning.at("sentence").get<std::string>());
    }
    status = o->strict && !j.at("warnings").empty() ? exit_warned : exit_ok;
  });
}

}  // namespace moreau
