#include "moreau/scene/read/read_grains.hpp"

#include "moreau/scene/generate/sizes.hpp"

namespace moreau::inline scene {

template <int D>
GrainKind<D> read_kind(TableReader& entry, const Scene<D>& scene, const SceneNames& names) {
  GrainKind<D> kind;
  kind.material = names.materials.resolve(entry, "material");
  if (!scene.model.materials.empty()) kind.density = scene.model.materials[static_cast<std::size_t>(kind.material)].density;
  kind.motion = names.motions.resolve(entry, "motion", -1);
  if (entry.has("motion")) kind.kind = BodyKind::driven;
  return kind;
}

template <int D>
void read_freedom(TableReader& entry, GrainKind<D>& kind) {
  if (entry.flag("fixed", false)) {
    if (entry.has("motion")) entry.fail("fixed", "stands beside 'motion'; accepted: only one of 'fixed', 'motion'");
    kind.kind = BodyKind::fixed;
  }
  kind.velocity = entry.vector<D>("velocity", Vec<D>{});
  if (kind.kind != BodyKind::free && entry.has("velocity"))
    entry.fail("velocity", "has no meaning for a body that is fixed or follows a motion; accepted: free bodies only");
}

template <int D>
Spin<D> read_spin(TableReader& entry, BodyKind kind) {
  Spin<D> spin;
  if constexpr (D == 2)
    spin[0] = entry.number("spin", any_number, 0.0);
  else
    spin = entry.vector<3>("spin", Vec<3>{});
  if (kind != BodyKind::free && entry.has("spin"))
    entry.fail("spin", "has no meaning for a body that is fixed or follows a motion; accepted: free bodies only");
  return spin;
}

template <int D>
Group<D> read_group(TableReader& entry, const Scene<D>& scene, const SceneNames& names,
                    const std::optional<SceneRegion<D>>& box) {
  Group<D> group;
  group.entry = {entry.path(), entry.location()};
  group.kind = read_kind(entry, scene, names);
  read_freedom(entry, group.kind);
  group.random_speed = entry.number("random_speed", nonnegative, 0.0);
  if (group.kind.kind != BodyKind::free && entry.has("random_speed"))
    entry.fail("random_speed", "has no meaning for bodies that are fixed or follow a motion; accepted: free bodies only");
  if (auto velocities = entry.table("velocities", false, "a table with 'speed'")) {
    if (group.kind.kind != BodyKind::free)
      entry.fail("velocities", "has no meaning for bodies that are fixed or follow a motion; accepted: free bodies only");
    group.rms_speed = velocities->number("speed", nonnegative);
    velocities->finish();
  }
  group.lattice = entry.choice("arrangement", {"random", "lattice"}, 0) == 1;
  if (group.lattice) {
    group.jitter = entry.number("jitter", fraction, 0.0);
    if (entry.has("spacing")) group.spacing = entry.number("spacing", positive);
  }
  if (box && !entry.has("region"))
    group.region = *box;
  else
    group.region = read_region<D>(entry);
  return group;
}

namespace {

template <int D>
void read_listed(TableReader& entry, Scene<D>& scene, SceneNames& names, GrainEntries<D>& entries) {
  if (entry.has("name")) scene.named.push_back({names.bodies.declare(entry, entry.path()), scene.bodies.size(), 1});
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
  body.spin = read_spin<D>(entry, kind.kind);
  entry.finish();
  entries.listed.push_back({entry.path(), entry.location(), scene.bodies.size()});
  scene.bodies.append(body);
}

template <int D>
Group<D> read_grain_group(TableReader& entry, const Scene<D>& scene, const SceneNames& names,
                          const std::optional<SceneRegion<D>>& box, NamedFiles& files) {
  Group<D> group = read_group(entry, scene, names, box);
  group.sizes = read_sizes<D>(entry, files);
  group.factor = entry.number("factor", {"a number in (0, 1]", 0.0, 1.0, false, true}, 1.0);
  if (!group.lattice || entry.has("count")) group.count = static_cast<std::uint64_t>(entry.integer("count", 1, INT64_MAX));
  entry.finish();
  return group;
}

template <int D>
Floor<D> read_floor(TableReader& entry, const Scene<D>& scene, const SceneNames& names, NamedFiles& files) {
  Floor<D> floor;
  floor.entry = {entry.path(), entry.location()};
  floor.kind = read_kind(entry, scene, names);
  if (floor.kind.kind == BodyKind::free) floor.kind.kind = BodyKind::fixed;
  floor.sizes = read_sizes<D>(entry, files);
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
GrainEntries<D> read_grains(TableReader& root, Scene<D>& scene, SceneNames& names, const std::optional<SceneRegion<D>>& box,
                            NamedFiles& files) {
  GrainEntries<D> entries;
  for (auto& entry : root.tables("grain")) read_listed(entry, scene, names, entries);
  for (auto& entry : root.tables("floor")) entries.floors.push_back(read_floor(entry, scene, names, files));
  for (auto& entry : root.tables("grains")) entries.groups.push_back(read_grain_group(entry, scene, names, box, files));
  return entries;
}

#define MOREAU_INSTANTIATE(D)                                                                                              \
  template GrainKind<D> read_kind<D>(TableReader&, const Scene<D>&, const SceneNames&);                                    \
  template void read_freedom<D>(TableReader&, GrainKind<D>&);                                                              \
  template Spin<D> read_spin<D>(TableReader&, BodyKind);                                                                   \
  template Group<D> read_group<D>(TableReader&, const Scene<D>&, const SceneNames&, const std::optional<SceneRegion<D>>&); \
  template GrainEntries<D> read_grains<D>(TableReader&, Scene<D>&, SceneNames&, const std::optional<SceneRegion<D>>&,      \
                                          NamedFiles&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline scene
