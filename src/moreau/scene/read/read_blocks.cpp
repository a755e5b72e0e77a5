#include "moreau/scene/read/read_blocks.hpp"

#include <fmt/format.h>

#include "moreau/scene/generate/block_builder.hpp"
#include "moreau/scene/generate/generate.hpp"
#include "moreau/scene/generate/sizes.hpp"

namespace moreau::inline scene {
namespace {

template <int D>
void warn_of_mesh(const ShapeRecipe<D>& recipe, const TableReader& entry, Warnings& warnings) {
  if (!recipe.note.empty())
    warnings.add({WarningKind::mesh, recipe.noted, 0.0, fmt::format("of the mesh of '{}' {}", entry.path(), recipe.note)});
}

template <int D>
void read_block(TableReader& entry, std::size_t number, Scene<D>& scene, SceneNames& names, NamedFiles& files,
                std::vector<Entry>& entries) {
  const std::string name = names.bodies.declare(entry, entry.path());
  GrainKind<D> kind = read_kind(entry, scene, names);
  read_freedom(entry, kind);
  const ShapeRecipe<D> recipe = read_shape<D>(entry, files);
  const double scale = recipe.key == "mesh" ? entry.number("scale", positive, 1.0) : 1.0;
  Vec<D> position{};
  if (!recipe.has_place || entry.has("position")) position = entry.vector<D>("position");
  const Rotation<D> rotation = read_rotation<D>(entry);
  const Spin<D> spin = read_spin<D>(entry, kind.kind);
  const double mass = entry.has("mass") ? entry.number("mass", positive) : 0.0;
  entry.finish();
  if (entry.mistakes().any() || recipe.key.empty()) return;
  warn_of_mesh(recipe, entry, scene.warnings);

  RandomStream random = stream_of(scene.seed, DrawKind::block, number);
  const PlacedShape<D> placed = make_block_shape(recipe, scale, random);
  if (!placed.fault.empty())
    return entry.fail(recipe.key,
                      fmt::format("makes no block: {}; accepted: the points of a body that is not flat", placed.fault));
  const std::int32_t shape = add_shape(scene.bodies, placed.shape);
  NewBody<D> body = block_of(scene.bodies, shape, kind, recipe.has_place && !entry.has("position") ? placed.centre : position,
                             composed(rotation, placed.orientation));
  if (mass > 0.0) {
    body.inertia *= mass / body.mass;
    body.mass = mass;
  }
  body.spin = spin;
  entries.push_back({entry.path(), entry.location(), scene.bodies.size()});
  if (entry.has("name")) scene.named.push_back({name, scene.bodies.size(), 1});
  scene.bodies.append(body);
}

template <int D>
Group<D> read_block_group(TableReader& entry, const Scene<D>& scene, const SceneNames& names,
                          const std::optional<SceneRegion<D>>& box, NamedFiles& files) {
  Group<D> group = read_group(entry, scene, names, box);
  group.recipe = read_shape<D>(entry, files);
  group.sizes = read_scales<D>(entry, "scale", files);
  group.count = static_cast<std::uint64_t>(entry.integer("count", 1, INT64_MAX));
  group.turned = entry.choice("orientation", {"random", "aligned"}, 0) == 0;
  entry.finish();
  return group;
}

}  // namespace

template <int D>
void read_blocks(TableReader& root, Scene<D>& scene, SceneNames& names, const std::optional<SceneRegion<D>>& box,
                 const SceneLimits& limits, NamedFiles& files, GrainEntries<D>& entries) {
  std::size_t number = 0;
  for (auto& entry : root.tables("block")) read_block(entry, number++, scene, names, files, entries.blocks);
  for (auto& entry : root.tables("arch")) read_arch(entry, scene, names, limits, entries.blocks);
  for (auto& entry : root.tables("brickwork")) read_brickwork(entry, scene, names, limits, entries.blocks);
  for (auto& entry : root.tables("nave")) read_nave(entry, scene, names, limits, entries.blocks);
  for (auto& entry : root.tables("stones")) read_stones(entry, scene, names, limits, files, entries.blocks);
  number = 0;
  for (auto& entry : root.tables("rubble")) read_rubble(entry, number++, scene, names, limits, entries.blocks);
  if constexpr (D == 3) {
    for (auto& entry : root.tables("dome")) read_dome(entry, scene, names, limits, entries.blocks);
    for (auto& entry : root.tables("vault")) read_vault(entry, scene, names, limits, entries.blocks);
    for (auto& entry : root.tables("tower")) read_tower(entry, scene, names, limits, entries.blocks);
  } else {
    for (const char* key : {"dome", "vault", "tower"})
      if (root.has(key)) root.fail(key, "needs three dimensions; accepted: with dimension = 3");
  }
  for (auto& entry : root.tables("blocks")) {
    entries.groups.push_back(read_block_group(entry, scene, names, box, files));
    warn_of_mesh(*entries.groups.back().recipe, entry, scene.warnings);
  }
}

#define MOREAU_INSTANTIATE(D)                                                                                                  \
  template void read_blocks<D>(TableReader&, Scene<D>&, SceneNames&, const std::optional<SceneRegion<D>>&, const SceneLimits&, \
                               NamedFiles&, GrainEntries<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline scene
