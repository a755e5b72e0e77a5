// Pistons and the periodic cell: [[piston]] and [cell], at the top of a scene and in its phases.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/base/elementary.hpp"
#include "moreau/base/nearest.hpp"
#include "moreau/scene/read/read_model.hpp"
#include "moreau/scene/read/read_signal.hpp"
#include "moreau/solver/shared_motion.hpp"

namespace moreau::inline scene {
namespace {

// Default mass of a wall of a piston, of that of the layer of bodies along it, N^(-1/D) of the whole: its own inertia is what the
// force of its contacts differs from the asked one by, so that it must be light; and a share of each layer, so that it is as
// light for any N. Default mass of a wall over that of a layer of bodies along it: light ones are quiet, but an explicit scheme
// must follow them.
constexpr double wall_over_layer = 0.05, soft_wall_over_layer = 1.0;
// Of all soils together over the lightest body: what stands on them swings by less than half a percent too slowly, whatever their
// number.
constexpr double soils_over_lightest = 0.01;
constexpr double cell_over_sample = 1.0 / 12.0;  // default inertia of a cell, of mass x (volume)^(2/D): that of its content

template <int D>
void read_control(TableReader& entry, Piston<D>& piston) {
  const std::string key = entry.one_of({"velocity", "force", "stress"});
  if (key.empty()) return;
  piston.control = key == "velocity" ? PistonControl::velocity : key == "force" ? PistonControl::force : PistonControl::stress;
  piston.target = read_signal(entry, key);
}

template <int D>
std::int32_t find_wall(const std::vector<Wall<D>>& walls, const std::string& name) {
  const auto found = std::find_if(walls.begin(), walls.end(), [&](const Wall<D>& w) { return w.name == name; });
  return found == walls.end() ? -1 : static_cast<std::int32_t>(found - walls.begin());
}

template <int D>
void read_piston_walls(TableReader& entry, const Model<D>& model, Piston<D>& piston) {
  const std::size_t count = entry.array_size("walls");
  if (count != 1 && count != 2) {
    if (entry.has("walls"))
      entry.fail("walls", fmt::format("names {} walls; accepted: one wall, or two that move as mirror images", count));
    else
      entry.fail_missing("walls", "one wall, or two that move as mirror images");
    return;
  }
  std::vector<std::string> known;
  for (const Wall<D>& wall : model.walls) known.push_back(wall.name);
  for (const std::string& name : entry.texts("walls", count)) {
    const std::int32_t index = find_wall(model.walls, name);
    if (index < 0) {
      entry.fail("walls", fmt::format("names \"{}\", which is no wall of this scene; {}", name, suggestion(name, known)));
      continue;
    }
    const Wall<D>& wall = model.walls[static_cast<std::size_t>(index)];
    const auto taken = [&](const Piston<D>& other) {
      return std::ranges::any_of(other.walls, [&](const PistonWall<D>& w) { return w.wall == index; });
    };
    if (wall.motion >= 0 || wall.geometry.shape != WallShape::plane || wall.soil.exists())
      entry.fail("walls", fmt::format("names \"{}\", {}; accepted: plane walls without a motion or soil", name,
                                      wall.motion >= 0     ? "which has a motion"
                                      : wall.soil.exists() ? "which has soil"
                                                           : "which is not plane"));
    else if (taken(piston) || std::ranges::any_of(model.pistons, taken))
      entry.fail("walls", fmt::format("names \"{}\", which a piston moves already; accepted: each wall once", name));
    piston.walls.push_back({index, wall.geometry.direction});
  }
  if (!entry.has("direction")) return;
  const Vec<D> direction = entry.direction<D>("direction");
  for (std::size_t k = 0; k < piston.walls.size(); ++k) piston.walls[k].direction = k == 0 ? direction : -direction;
}

// The face of a wall across axis d reaches from wall to wall, or from border to border of the cell, along the other axes.
template <int D>
void find_face(TableReader& entry, const Model<D>& model, Piston<D>& piston) {
  if (entry.has("area")) {
    piston.area = entry.number("area", positive);
    return;
  }
  if (piston.walls.empty() || entry.mistakes().any()) return;
  const auto axis_of = [](const Vec<D>& n) {
    for (int d = 0; d < D; ++d)
      if (std::abs(std::abs(n[d]) - 1.0) < 1e-9) return d;
    return -1;
  };
  const int own = axis_of(model.walls[static_cast<std::size_t>(piston.walls[0].wall)].geometry.direction);
  for (int d = 0; d < D; ++d) {
    if (d == own) continue;
    if (own >= 0 && model.cell.start.periodic[d]) {
      piston.area *= model.cell.start.vectors.row[d][d];
      continue;
    }
    std::int32_t low = -1, high = -1;  // the innermost wall of each side
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
      const WallGeometry<D>& wall = model.walls[w].geometry;
      if (wall.shape != WallShape::plane || axis_of(wall.direction) != d) continue;
      const bool is_low = wall.direction[d] > 0.0;
      std::int32_t& side = is_low ? low : high;
      const double here = side < 0 ? 0.0 : model.walls[static_cast<std::size_t>(side)].geometry.point[d];
      if (side < 0 || (is_low ? wall.point[d] > here : wall.point[d] < here)) side = static_cast<std::int32_t>(w);
    }
    if (own >= 0 && low >= 0 && high >= 0) {
      piston.between.push_back({low, high});
      continue;
    }
    entry.fail_missing("area", "the area on which the stress acts, as there are no walls across the axes that bound this one");
    return;
  }
}

// Walls on springs and dashpots are pistons that nobody pushes. After those of the scene, which phases know by their places.
template <int D>
void add_soils(Model<D>& model) {
  for (std::size_t w = 0; w < model.walls.size(); ++w) {
    const Soil<D>& soil = model.walls[w].soil;
    if (!soil.exists()) continue;
    Piston<D> piston;
    piston.name = model.walls[w].name;
    piston.walls.push_back({static_cast<std::int32_t>(w), soil.direction});
    piston.control = PistonControl::force;
    piston.mass = soil.mass, piston.stiffness = soil.stiffness, piston.damping = soil.damping;
    model.pistons.push_back(std::move(piston));
  }
}

const std::vector<std::string>& axis_names() {
  static const std::vector<std::string> names{"x", "y", "z"};
  return names;
}

// `stress = {xx = 1, yy = 1}` or `rate = {xy = 0.1}`: components on and above the diagonal.
template <int D>
void read_components(TableReader& entry, const char* key, bool stress, Cell<D>& cell) {
  auto table = entry.table(key, false, "a table of components like {xx = 1.0, xy = 0.0}");
  if (!table) return;
  for (int p = 0; p < D; ++p)
    for (int q = p; q < D; ++q) {
      const std::string name = axis_names()[static_cast<std::size_t>(p)] + axis_names()[static_cast<std::size_t>(q)];
      if (!table->has(name)) continue;
      cell.component[p][q] = {stress, read_signal(*table, name)};
      cell.deforms = true;
    }
  table->finish();
}

template <int D>
void read_cell_control(TableReader& entry, Cell<D>& cell) {
  read_components(entry, "rate", false, cell);
  read_components(entry, "stress", true, cell);
  if (entry.has("mass")) cell.mass = entry.number("mass", positive);
  for (int p = 0; p < D && cell.deforms; ++p)
    for (int q = p; q < D; ++q) {
      const bool moves = cell.component[p][q].stress || cell.component[p][q].target.at(0.0) != 0.0;
      if (!moves || (cell.start.periodic[p] && cell.start.periodic[q])) continue;
      entry.mistakes().add(
          entry.location(),
          fmt::format("'{}' deforms along a direction in which it is not periodic ({}{}); accepted: rates and stresses "
                      "of periodic directions",
                      entry.path(), "xyz"[p], "xyz"[q]));
      return;
    }
}

}  // namespace

template <int D>
std::optional<SceneRegion<D>> read_cell(TableReader& root, Scene<D>& scene) {
  auto entry = root.table("cell", false, "a table with 'min' and 'max'");
  if (!entry) return std::nullopt;
  Cell<D>& cell = scene.model.cell;
  SceneRegion<D> inside;
  inside.low = entry->vector<D>("min");
  inside.high = entry->vector<D>("max");
  for (int d = 0; d < D; ++d) cell.start.periodic[d] = !entry->has("periodic");
  if (entry->has("periodic"))
    for (const std::string& name : entry->texts("periodic", entry->array_size("periodic"))) {
      const auto& names = axis_names();
      const auto found = std::find(names.begin(), names.begin() + D, name) - names.begin();
      if (found < D)
        cell.start.periodic[found] = true;
      else
        entry->fail("periodic",
                    fmt::format("names \"{}\", which is no direction; accepted: \"x\", \"y\"{}", name, D == 3 ? ", \"z\"" : ""));
    }
  cell.start.origin = inside.low;
  for (int d = 0; d < D; ++d) {
    cell.start.vectors.row[d][d] = inside.high[d] - inside.low[d];
    if (!entry->mistakes().any() && !(inside.low[d] < inside.high[d]))
      entry->fail("max", fmt::format("has component {} along axis {}; accepted: more than that of 'min', which is {}",
                                     inside.high[d], d + 1, inside.low[d]));
  }
  read_cell_control(*entry, cell);
  entry->finish();
  return inside;
}

template <int D>
void read_pistons(TableReader& root, Scene<D>& scene, SceneNames& names) {
  for (auto& entry : root.tables("piston")) {
    Piston<D> piston;
    piston.name = names.pistons.declare(entry, entry.path());
    read_piston_walls(entry, scene.model, piston);
    read_control(entry, piston);
    piston.mass = entry.number("mass", positive, 0.0);
    // Looked for whatever the control is now: a later phase may ask for a stress.
    if (piston.control == PistonControl::stress || entry.has("area")) find_face(entry, scene.model, piston);
    entry.finish();
    scene.model.pistons.push_back(std::move(piston));
  }
  add_soils(scene.model);
  const std::size_t most = most_shared_motions - D * (D + 1) / 2, count = scene.model.pistons.size();
  if (count > most && root.has("piston"))
    root.fail("piston", fmt::format("and walls with soil are {} in all; accepted: at most {}", count, most));
  else if (count > most)
    root.fail("wall", fmt::format("has {} entries with soil; accepted: at most {}", count, most));
}

template <int D>
void change_apparatus(TableReader& phase, Model<D>& model, const SceneNames& names) {
  for (auto& entry : phase.tables("piston")) {
    const std::int32_t index = names.pistons.resolve(entry, "name");
    if (model.pistons.empty()) {
      entry.mistakes().add(entry.location(),
                           fmt::format("'{}' changes a piston, but the scene has none; accepted: pistons that are "
                                       "declared by a [[piston]] before the phases",
                                       entry.path()));
      return;
    }
    Piston<D>& piston = model.pistons[static_cast<std::size_t>(index)];
    read_control(entry, piston);
    if (entry.has("mass")) piston.mass = entry.number("mass", positive);
    if (piston.control == PistonControl::stress && piston.between.empty() && piston.area == 1.0) find_face(entry, model, piston);
    entry.finish();
  }
  if (auto entry = phase.table("cell", false)) {
    if (!model.cell.start.any())
      entry->mistakes().add(entry->location(),
                            "'phase.cell' changes the cell, but the scene has none; accepted: a [cell] before "
                            "the phases");
    read_cell_control(*entry, model.cell);
    entry->finish();
  }
}

// What needs the bodies: default masses, and what a cell can hold.
template <int D>
void settle_apparatus(const Bodies<D>& bodies, Model<D>& model, Mistakes& mistakes) {
  double mass = 0.0, largest = 0.0, free = 0.0, lightest = HUGE_VAL;
  bool obstacles = false;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    largest = std::max(largest, bodies.parameters.radius[i]);
    if (bodies.is_free(i))
      mass += bodies.parameters.mass[i], free += 1.0, lightest = std::min(lightest, bodies.parameters.mass[i]);
    else
      obstacles = true;
  }
  const double layers = model.engine == EngineKind::soft ? soft_wall_over_layer : wall_over_layer;
  const auto soils = std::ranges::count_if(model.pistons, [](const Piston<D>& p) { return p.stiffness > 0.0; });
  for (Piston<D>& piston : model.pistons)
    if (piston.mass == 0.0 && piston.stiffness > 0.0)
      piston.mass = mass > 0.0 ? soils_over_lightest * lightest / static_cast<double>(soils) : 1.0;
    else if (piston.mass == 0.0)
      piston.mass = mass > 0.0 ? layers * mass * power(free, -1.0 / D) : 1.0;
  Cell<D>& cell = model.cell;
  if (!cell.start.any()) return;
  if (cell.mass == 0.0) cell.mass = cell_over_sample * mass * power(cell.start.volume(), 2.0 / D);
  const auto refuse = [&](const std::string& sentence) { mistakes.refuse({1, 1}, sentence); };
  for (int d = 0; d < D; ++d)
    if (cell.start.periodic[d] && cell.start.vectors.row[d][d] < 4.0 * largest)
      refuse(fmt::format("the cell is {} long along {}, where the largest body has radius {}; accepted: at least four radii",
                         cell.start.vectors.row[d][d], axis_names()[static_cast<std::size_t>(d)], largest));
  if (!model.sources.empty()) refuse("the scene has a periodic cell and a source; accepted: one of them");
  if (!cell.deforms) return;
  if (obstacles)
    refuse(
        "the cell deforms, but the scene has fixed or driven bodies; accepted: free bodies, and walls across directions that are "
        "not periodic");
  for (const Wall<D>& wall : model.walls) {
    bool across = wall.geometry.shape == WallShape::plane;
    for (int d = 0; d < D; ++d) across = across && (!cell.start.periodic[d] || wall.geometry.direction[d] == 0.0);
    if (!across)
      refuse(fmt::format("the cell deforms, but wall '{}' is no plane along its periodic directions; accepted: such planes",
                         wall.name));
  }
}

#define MOREAU_INSTANTIATE(D)                                                    \
  template std::optional<SceneRegion<D>> read_cell<D>(TableReader&, Scene<D>&);  \
  template void read_pistons<D>(TableReader&, Scene<D>&, SceneNames&);           \
  template void change_apparatus<D>(TableReader&, Model<D>&, const SceneNames&); \
  template void settle_apparatus<D>(const Bodies<D>&, Model<D>&, Mistakes&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline scene
