#include "moreau/scene/read_grains.hpp"

#include "moreau/scene/sizes.hpp"

namespace moreau {
namespace {

template <int D>
GrainKind<D> read_kind(TableReader& entry, const Scene<D>& scene, const SceneNames& names) {
  GrainKind<D> kind;
  kind.material = names.materials.resolve(entry, "material");
  if (!scene.model.materials.empty()) kind.density = scene.model.materials[static_cast<std::size_t>(kind.material)].density;
  kind.motion = names.motions.resolve(entry, "motion", -1);
  if (entry.has("motion")) kind.kind = BodyKind::driven;
  return kind;
}

// Keys of grains that may be free: `fixed` and `velocity`.
template <int D>
void read_freedom(TableReader& entry, GrainKind<D>& kind) {
  if (entry.flag("fixed", false)) {
    if (entry.has("motion")) entry.fail("fixed", "stands beside 'motion'; accepted: only one of 'fixed', 'motion'");
    kind.kind = BodyKind::fixed;
  }
  kind.velocity = entry.vector<D>("velocity", Vec<D>{});
  if (kind.kind != BodyKind::free && entry.has("velocity"))
    entry.fail("velocity", "has no meaning for a grain that is fixed or follows a motion; accepted: free grains only");
}

template <int D>
void read_listed(TableReader& entry, Scene<D>& scene, const SceneNames& names, GrainEntries<D>& entries) {
  GrainKind<D> kind = read_kind(entry, scene, names);
  read_freedom(entry, kind);
  NewBody<D> body = homogeneous_ball<D>(entry.vector<D>("position"), read_radius(entry), kind.density, kind.material);
  if (entry.has("mass")) {
    body.mass = entry.number("mass", positive);
    body.inertia = ball_inertia<D>(body.radius, body.mass);
  }
  body.motion = kind.motion;
  body.kind = kind.kind;
  body.velocity = kind.velocity;
  if constexpr (D == 2)
    body.spin[0] = entry.number("spin", any_number, 0.0);
  else
    body.spin = entry.vector<3>("spin", Vec<3>{});
  if (kind.kind != BodyKind::free && entry.has("spin"))
    entry.fail("spin", "has no meaning for a grain that is fixed or follows a motion; accepted: free grains only");
  entry.finish();
  entries.listed.push_back({entry.path(), entry.place(), scene.bodies.size()});
  scene.bodies.append(body);
}

template <int D>
Group<D> read_group(TableReader& entry, const Scene<D>& scene, const SceneNames& names, const std::optional<Region<D>>& box) {
  Group<D> group;
  group.entry = {entry.path(), entry.place()};
  group.kind = read_kind(entry, scene, names);
  read_freedom(entry, group.kind);
  group.random_speed = entry.number("random_speed", nonnegative, 0.0);
  if (group.kind.kind != BodyKind::free && entry.has("random_speed"))
    entry.fail("random_speed", "has no meaning for grains that are fixed or follow a motion; accepted: free grains only");
  group.sizes = read_sizes(entry);
  group.lattice = entry.choice("arrangement", {"random", "lattice"}, 0) == 1;
  if (group.lattice) group.jitter = entry.number("jitter", fraction, 0.0);
  if (!group.lattice || entry.has("count")) group.count = static_cast<std::uint64_t>(entry.integer("count", 1, INT64_MAX));
  if (box && !entry.has("region"))
    group.region = *box;
  else
    group.region = read_region<D>(entry);
  entry.finish();
  return group;
}

template <int D>
Floor<D> read_floor(TableReader& entry, const Scene<D>& scene, const SceneNames& names) {
  Floor<D> floor;
  floor.entry = {entry.path(), entry.place()};
  floor.kind = read_kind(entry, scene, names);
  if (floor.kind.kind == BodyKind::free) floor.kind.kind = BodyKind::fixed;
  floor.sizes = read_sizes(entry);
  // `radius` alone is a size of grains everywhere else, so the size of the floor is called extent.
  floor.extent = entry.number("extent", positive);
  if constexpr (D == 2) {
    floor.centre[0] = entry.number("centre", any_number, 0.0);
  } else {
    floor.square = entry.choice("shape", {"disc", "square"}, 0) == 1;
    const Vec<2> centre = entry.vector<2>("centre", Vec<2>{});
    floor.centre = {{centre[0], centre[1], 0.0}};
  }
  floor.centre[D - 1] = entry.number("height", any_number, 0.0);
  entry.finish();
  return floor;
}

}  // namespace

template <int D>
GrainEntries<D> read_grains(TableReader& root, Scene<D>& scene, const SceneNames& names, const std::optional<Region<D>>& box) {
  GrainEntries<D> entries;
  for (auto& entry : root.tables("grain")) read_listed(entry, scene, names, entries);
  for (auto& entry : root.tables("floor")) entries.floors.push_back(read_floor(entry, scene, names));
  for (auto& entry : root.tables("grains")) entries.groups.push_back(read_group(entry, scene, names, box));
  return entries;
}

template GrainEntries<2> read_grains<2>(TableReader&, Scene<2>&, const SceneNames&, const std::optional<Region<2>>&);
template GrainEntries<3> read_grains<3>(TableReader&, Scene<3>&, const SceneNames&, const std::optional<Region<3>>&);

}  // namespace moreau
