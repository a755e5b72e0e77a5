#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "moreau/engines/rigid/contact_laws.hpp"
#include "moreau/scene/foresee.hpp"
#include "moreau/scene/generate/place_grains.hpp"
#include "moreau/scene/generate/source_grains.hpp"
#include "moreau/scene/read/read_blocks.hpp"
#include "moreau/scene/read/read_engines.hpp"
#include "moreau/scene/read/read_soft.hpp"
#include "moreau/scene/read/settings.hpp"
#include "moreau/scene/read/toml_guard.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau::inline scene {
namespace {

// A law is needed between the material of any body that moves freely and every material it can touch.
template <int D>
void check_laws(const Scene<D>& scene, const std::vector<bool>& given, const GrainEntries<D>& entries, const SceneNames& names,
                Mistakes& mistakes) {
  const std::size_t n = scene.model.materials.size();
  std::vector<bool> free(n, false), present(n, false);
  const auto mark = [&](std::int32_t material, bool is_free) {
    present[static_cast<std::size_t>(material)] = true;
    if (is_free) free[static_cast<std::size_t>(material)] = true;
  };
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) mark(scene.bodies.parameters.material[i], scene.bodies.is_free(i));
  for (const auto& group : entries.groups) mark(group.kind.material, group.kind.kind == BodyKind::free);
  for (const auto& floor : entries.floors) mark(floor.kind.material, false);
  for (const auto& wall : scene.model.walls) mark(wall.material, false);
  for (const auto& source : scene.model.sources)
    for (const SourceKind& kind : kinds_of(source)) mark(kind.material, true);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a; b < n; ++b)
      if (!given[a * n + b] && present[a] && present[b] && (free[a] || free[b])) {
        const auto &first = scene.model.materials[a].name, &second = scene.model.materials[b].name;
        mistakes.add(
            names.material_locations[b],
            fmt::format(
                "materials '{}' and '{}' can meet but have no law; accepted: a [[pair]] with materials = [\"{}\", \"{}\"], "
                "or a [law] for all pairs not listed",
                first, second, first, second));
      }
}

// Flat faces at rest would flicker if contacts ended at a gap of zero (docs/scene-format.md). A tower of planks at the default
// tolerance of the solver loses contacts at 1e-6, and none at 1e-5.
constexpr double block_contact_distance = 1e-5;  // of the reach of the smallest block
// Of the smallest radius: grains said to touch are apart by a rounding error of either sign, and would fall by it.
constexpr double round_contact_distance = 1e-6;

// Of what a body falls in a step and a half, h^2 |gravity|: the solver's tolerance leaves velocities that open standing contacts
// by some hundredths of it.
constexpr double fall_contact_distance = 1.0;
constexpr double largest_contact_distance = 1e-2;  // of the smallest body, however long the step

// So would contacts that pull, between bodies of any shape.
bool bounces(const PairLaw& law) { return law.normal_restitution > 0.0 || !law.restitution_at_speed.empty(); }
bool holds(const PairLaw& law) { return law.cohesion > 0.0 || law.joint.exists(); }
template <int D>
double smallest_body(const Scene<D>& scene) {
  double smallest = largest_number;
  for (const double radius : scene.bodies.parameters.radius) smallest = std::min(smallest, radius);
  for (const auto& source : scene.model.sources) smallest = std::min(smallest, smallest_grain(source, scene.bodies));
  return smallest;
}

template <int D>
double smallest_reach(const Bodies<D>& bodies) {
  double smallest = largest_number;
  for (const auto& shape : bodies.shapes) smallest = std::min(smallest, shape.reach);
  return smallest;
}

// Sequential shocks know neither the momentum of pistons and cells nor laws beyond Coulomb's.
template <int D>
void check_shocks(const Model<D>& model, Mistakes& mistakes) {
  if (model.shocks != ShockRule::sequential) return;
  if (!model.pistons.empty() || model.cell.deforms)
    mistakes.refuse(
        {1, 1},
        "contact.shocks is \"sequential\" in a scene with pistons or a deforming cell; accepted with these: \"together\"");
  if (law_needs(model.pair_laws).bounded)
    mistakes.refuse({1, 1},
                    "contact.shocks is \"sequential\" in a phase with laws beyond Coulomb's; accepted with these: \"together\"");
}

// Engines that know walls by a gap and a normal know no meshes. A mesh turns about one axis for good.
template <int D>
void check_meshes(const Model<D>& first, const Phase<D>& phase, Mistakes& mistakes) {
  if (any_mesh<D>(first.walls) && phase.model.engine != EngineKind::rigid)
    mistakes.refuse({1, 1}, "a wall is a mesh in a scene with another engine than \"rigid\"; accepted with meshes: \"rigid\"");
  if (std::ranges::any_of(first.walls, [](const Wall<D>& w) { return w.soil.exists(); }) &&
      phase.model.engine != EngineKind::rigid)
    mistakes.refuse({1, 1}, "a wall has soil in a scene with another engine than \"rigid\"; accepted with soil: \"rigid\"");
  for (const Wall<D>& wall : first.walls) {
    if (wall.geometry.shape != WallShape::mesh) continue;
    for (const std::int32_t motion : {wall.motion, wall.turning, wall.surface}) {
      if (motion < 0) continue;
      const Motion<D>&before = first.motions[static_cast<std::size_t>(motion)],
            &now = phase.model.motions[static_cast<std::size_t>(motion)];
      if (turns(before) != turns(now) || (turns(now) && !(before.axis == now.axis && before.centre == now.centre)))
        mistakes.refuse({1, 1}, fmt::format("phase '{}' gives motion '{}', which moves the mesh '{}', another axis; accepted: "
                                            "the axis it has from the beginning, or none if it has none",
                                            phase.name, before.name, wall.name));
    }
  }
}

// "gravity = 9,81" is the number of a country, not of TOML.
std::string comma_hint(std::string_view toml, Location location) {
  std::size_t begin = 0;
  for (toml::source_index line = 1; line < location.line && begin != std::string_view::npos; ++line) {
    begin = toml.find('\n', begin);
    if (begin != std::string_view::npos) ++begin;
  }
  if (begin == std::string_view::npos) return {};
  const std::string_view line = toml.substr(begin, toml.find('\n', begin) - begin);
  if (line.find_first_of("[{\"'") != std::string_view::npos) return {};
  const std::size_t comma = line.find(',');
  const auto digit = [&](std::size_t at) { return at < line.size() && line[at] >= '0' && line[at] <= '9'; };
  if (comma == std::string_view::npos || comma == 0 || !digit(comma - 1) || !digit(comma + 1)) return {};
  return "; numbers are written with a point, as 9.81";
}

template <int D>
Scene<D> read(TableReader& root, std::string_view text, const std::filesystem::path& folder, const SceneLimits& limits) {
  Scene<D> scene;
  NamedFiles files{folder, {}};
  SceneNames names;
  Mistakes& mistakes = root.mistakes();
  const ContactKeys contact = read_settings(root, scene);
  read_materials(root, scene, names);
  const std::vector<bool> given = read_laws(root, scene.model, names);
  // What bounces meets exactly where it is under the midpoint rule; what rests keeps its place under the predictive one.
  if (!contact.rule)
    scene.model.rule = scene.model.shocks == ShockRule::sequential || std::ranges::any_of(scene.model.pair_laws, bounces)
                           ? ContactRule::midpoint
                           : ContactRule::predictive;
  read_motions(root, scene, names, files);
  std::vector<OpenSide<D>> open;
  auto box = read_walls(root, scene, names, files, open);
  if (const auto cell = read_cell(root, scene)) box = cell;
  read_pistons(root, scene, names);
  GrainEntries<D> entries = read_grains(root, scene, names, box, files);
  read_blocks(root, scene, names, box, limits, files, entries);
  read_sources(root, scene, names, files);
  read_sinks(root, scene, names);
  read_tilt(root, scene);
  read_measures(root, scene);
  read_phases(root, scene, names, files);
  std::vector<Location> phase_locations;  // where engines are refused; of a scene without phases, its beginning
  if (root.has("phase"))
    for (const TableReader& entry : root.tables("phase")) phase_locations.push_back(entry.location());
  root.finish();
  mistakes.refuse_if_any();
  if (scene.bodies.size() == 0 && entries.groups.empty() && scene.model.sources.empty())
    mistakes.refuse({1, 1},
                    "the scene has no grains and no blocks; accepted: at least one [[grain]], [[grains]], [[source]], [[block]], "
                    "[[blocks]], [[arch]], [[brickwork]] or another kind of masonry");
  for (const Phase<D>& phase : scene.phases) check_shocks(phase.model, mistakes), check_meshes(scene.model, phase, mistakes);
  check_laws(scene, given, entries, names, mistakes);
  mistakes.refuse_if_any();
  place_grains(entries, scene, names, limits, mistakes);
  const auto set_distance = [&](double distance) {
    const auto set = [&](Model<D>& model) {
      if (model.rule == ContactRule::midpoint && model.contact_distance == 0.0)
        model.contact_distance =
            std::max(distance, std::min(largest_contact_distance * smallest_body(scene),
                                        fall_contact_distance * model.time_step * model.time_step * norm(model.gravity)));
    };
    set(scene.model);
    for (Phase<D>& phase : scene.phases) set(phase.model);
  };
  if (!contact.distance) {
    if (std::ranges::any_of(scene.phases, [](const auto& phase) { return std::ranges::any_of(phase.model.pair_laws, holds); }))
      set_distance(block_contact_distance * smallest_body(scene));
    else if (!scene.bodies.all_round())
      set_distance(block_contact_distance * smallest_reach(scene.bodies));
    else
      set_distance(round_contact_distance * smallest_body(scene));
  }
  settle_apparatus(scene.bodies, scene.model, mistakes);
  warn_of_unread_keys(scene);
  settle_soft(scene.bodies, scene.model);
  for (Phase<D>& phase : scene.phases) {
    phase.model.sources = scene.model.sources;
    settle_apparatus(scene.bodies, phase.model, mistakes);
    settle_soft(scene.bodies, phase.model);
    const std::size_t number = static_cast<std::size_t>(&phase - scene.phases.data());
    check_engine(phase, scene.bodies, number < phase_locations.size() ? phase_locations[number] : Location{1, 1}, mistakes);
  }
  check_soft(scene, mistakes);
  check_at_rest(scene, std::span<const Location>(phase_locations), mistakes);
  foresee(scene, open);
  scene.text = with_inclusions(text, files.inclusions);
  if (scene.text.size() > limits.bytes)
    mistakes.refuse({1, 1}, fmt::format("the file and those it names are together larger than {} bytes; accepted: shorter files",
                                        limits.bytes));
  return scene;
}

}  // namespace

AnyScene parse_scene(std::string_view toml, const std::string& name, const std::filesystem::path& folder,
                     const SceneLimits& limits) {
  Mistakes mistakes(name);
  if (toml.size() > limits.bytes)
    mistakes.refuse(
        {1, 1},
        fmt::format("the file is larger than {} bytes; accepted: smaller files, with grains made by [[grains]]", limits.bytes));
  if (toml.find_first_not_of(" \t\r\n") == std::string_view::npos)
    mistakes.refuse({1, 1}, "the file is empty; accepted: a scene, see docs/scene-format.md");
  guard_toml(toml, mistakes);
  toml::table table;
  try {
    table = toml::parse(toml, std::string_view(name));
  } catch (const toml::parse_error& error) {
    mistakes.refuse(error.source().begin,
                    fmt::format("not valid TOML: {}{}", error.description(), comma_hint(toml, error.source().begin)));
  }
  TableReader root(table, "", mistakes);
  if (!root.has("dimension")) mistakes.refuse({1, 1}, "key 'dimension' is missing; accepted: 2 or 3");
  const std::int64_t dimension = root.integer("dimension", 2, 3);
  mistakes.refuse_if_any();
  if (dimension == 2) return read<2>(root, toml, folder, limits);
  return read<3>(root, toml, folder, limits);
}

std::string scene_file_text(const std::filesystem::path& file, const SceneLimits& limits) {
  Mistakes mistakes(file.string());
  const auto refuse = [&](const std::string& why) { mistakes.refuse({1, 1}, why + "; accepted: a readable TOML file"); };
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) refuse("the file does not exist");
  if (std::filesystem::is_directory(status)) refuse("this is a folder");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse("the file cannot be opened");
  std::string text;
  std::vector<char> block(1 << 20);
  while (stream && text.size() <= limits.bytes) {  // not by the size on disk: pipes and devices have none
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) refuse("the file cannot be read");
  return text;
}

AnyScene read_scene(const std::filesystem::path& file, const SceneLimits& limits) {
  return parse_scene(scene_file_text(file, limits), file.string(), file.parent_path(), limits);
}

}  // namespace moreau::inline scene
