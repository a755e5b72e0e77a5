#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "moreau/base/nearest.hpp"
#include "moreau/scene/generate/wall_surface.hpp"
#include "moreau/scene/read/read_mesh.hpp"
#include "moreau/scene/read/read_model.hpp"

namespace moreau::inline scene {
namespace {

// Faces of a box: axis by axis, the lower first.
template <int D>
std::vector<std::string> face_names() {
  if constexpr (D == 2) return {"left", "right", "bottom", "top"};
  return {"left", "right", "front", "back", "bottom", "top"};
}

template <int D>
std::vector<bool> read_open_faces(TableReader& box) {
  const auto faces = face_names<D>();
  std::vector<bool> open(faces.size(), false);
  if (!box.has("open")) return open;
  const std::size_t count = box.array_size("open");
  for (const auto& face : box.texts("open", count)) {
    const auto found = std::find(faces.begin(), faces.end(), face);
    if (found == faces.end())
      box.fail("open", fmt::format("names \"{}\", which is no face; {}", face, suggestion(face, faces)));
    else
      open[static_cast<std::size_t>(found - faces.begin())] = true;
  }
  return open;
}

// Its inside, also where there are mistakes: grains that fill it are then not asked for a region of their own.
template <int D>
SceneRegion<D> add_box(TableReader box, const Wall<D>& common, std::vector<Wall<D>>& walls, std::vector<OpenSide<D>>& sides) {
  SceneRegion<D> inside;
  inside.low = box.vector<D>("min");
  inside.high = box.vector<D>("max");
  const auto open = read_open_faces<D>(box);
  const bool sound = box.has("min") && box.has("max") && !box.mistakes().any();
  for (int axis = 0; axis < D && sound; ++axis)
    if (!(inside.low[axis] < inside.high[axis])) {
      box.fail("max", fmt::format("has component {} along axis {}; accepted: more than that of 'min', which is {}",
                                  inside.high[axis], axis + 1, inside.low[axis]));
      break;
    }
  box.finish();
  const auto faces = face_names<D>();
  for (std::size_t f = 0; f < faces.size(); ++f) {
    Vec<D> inwards{};
    inwards[static_cast<int>(f / 2)] = f % 2 == 0 ? 1.0 : -1.0;
    if (open[f]) {
      sides.push_back({fmt::format("face '{}' of box '{}'", faces[f], common.name), -inwards});
      continue;
    }
    Wall<D> wall = common;
    wall.name += "." + faces[f];
    wall.geometry.point = f % 2 == 0 ? inside.low : inside.high;
    wall.geometry.direction = inwards;
    walls.push_back(wall);
  }
  return inside;
}

template <int D>
WallGeometry<D> read_plane(TableReader table) {
  WallGeometry<D> plane;
  plane.point = table.vector<D>("point", Vec<D>{});
  plane.direction = table.direction<D>("normal");
  table.finish();
  return plane;
}

template <int D>
WallGeometry<D> read_cylinder(TableReader table) {
  WallGeometry<D> cylinder;
  cylinder.shape = WallShape::cylinder;
  if constexpr (D == 2) {
    cylinder.point = table.vector<2>("centre", Vec<2>{});
  } else {
    cylinder.point = table.vector<3>("point", Vec<3>{});
    cylinder.direction = {{0.0, 0.0, 1.0}};
    if (table.has("axis")) cylinder.direction = table.direction<3>("axis");
  }
  cylinder.radius = table.number("radius", positive);
  table.finish();
  return cylinder;
}

// A wall turned by its motion stays where it is: only its surface moves. A mesh turns with it.
template <int D>
void check_surface(TableReader& entry, const Model<D>& model, std::vector<Wall<D>>& walls, std::size_t first) {
  const bool has_motion = entry.has("motion"), has_surface = entry.has("surface");
  for (std::size_t w = first; w < walls.size() && !entry.mistakes().any(); ++w) {
    Wall<D>& wall = walls[w];
    if (wall.geometry.shape == WallShape::mesh && wall.motion >= 0 && turns(model.motions[static_cast<std::size_t>(wall.motion)]))
      wall.turning = wall.motion;
    const bool turned = wall.motion >= 0 && turns(model.motions[static_cast<std::size_t>(wall.motion)]);
    if (turned && has_surface && has_motion)
      return entry.fail("motion", "turns the wall, which has a 'surface' too; accepted: one motion that turns");
    if (turned) wall.surface = wall.motion, wall.motion = -1;
    if (wall.surface < 0 || wall.geometry.shape == WallShape::mesh) continue;
    const std::string fault = surface_fault(wall.geometry, model.motions[static_cast<std::size_t>(wall.surface)]);
    if (!fault.empty())
      entry.fail(turned ? "motion" : "surface",
                 fmt::format("names a motion that {}; accepted: motions that leave the wall where it is", fault));
  }
}

// The origin of a mesh lies in its middle; of one that turns, on the axis.
template <int D>
WallGeometry<D> mesh_geometry(Mesh<D> mesh, const Motion<D>* turning) {
  WallGeometry<D> geometry;
  geometry.shape = WallShape::mesh;
  Vec<D> low = mesh.vertices[0], high = low;
  for (const Vec<D>& v : mesh.vertices)
    for (int d = 0; d < D; ++d) low[d] = std::min(low[d], v[d]), high[d] = std::max(high[d], v[d]);
  geometry.point = 0.5 * (low + high);
  if (turning != nullptr) {
    Vec<D> on_axis = turning->centre;
    if constexpr (D == 3) on_axis += dot(geometry.point - on_axis, turning->axis) * turning->axis;
    geometry.point = on_axis;
  }
  for (Vec<D>& v : mesh.vertices) v -= geometry.point;
  connect(mesh);
  geometry.radius = mesh.reach;
  geometry.mesh = std::make_shared<const MeshSurface<D>>(std::move(mesh));
  return geometry;
}

// Springs and dashpots under a wall. Those of a plane act along its normal; a mesh, which may have many, along the vertical.
template <int D>
void read_soil(TableReader& entry, Wall<D>& wall) {
  auto table = entry.table("soil", false);
  if (!table) return;
  wall.soil.stiffness = table->number("stiffness", positive);
  wall.soil.damping = table->number("damping", nonnegative, 0.0);
  wall.soil.mass = table->number("mass", positive, 0.0);
  wall.soil.direction[D - 1] = 1.0;
  if (wall.geometry.shape == WallShape::plane) wall.soil.direction = wall.geometry.direction;
  if (table->has("direction")) wall.soil.direction = table->direction<D>("direction");
  table->finish();
  if (wall.geometry.shape == WallShape::cylinder) entry.fail("soil", "is under a cylinder; accepted: under a plane or a mesh");
  if (wall.turning >= 0) entry.fail("soil", "is under a wall that turns; accepted: walls that do not");
}

template <int D>
WallGeometry<D> read_mesh_wall(TableReader& entry, NamedFiles& files, const Wall<D>& wall, const Model<D>& model,
                               Warnings& warnings) {
  ReadMesh<D> read = read_mesh<D>(entry, files);
  place_mesh(entry, read.mesh);
  if (!read.notes.empty())
    warnings.add({WarningKind::mesh, static_cast<double>(read.changed), 0.0,
                  fmt::format("in the mesh of wall '{}' {}", wall.name, fmt::join(read.notes, ", "))});
  const Motion<D>* motion = wall.motion >= 0 ? &model.motions[static_cast<std::size_t>(wall.motion)] : nullptr;
  return mesh_geometry(std::move(read.mesh), motion != nullptr && turns(*motion) ? motion : nullptr);
}

}  // namespace

template <int D>
std::optional<SceneRegion<D>> read_walls(TableReader& root, Scene<D>& scene, SceneNames& names, NamedFiles& files,
                                         std::vector<OpenSide<D>>& open) {
  std::optional<SceneRegion<D>> inside;
  std::size_t boxes = 0;
  const std::vector<std::string> shapes{"plane", D == 2 ? "circle" : "cylinder", "box", "mesh"};
  for (auto& entry : root.tables("wall")) {
    Wall<D> wall;
    wall.name = names.walls.declare(entry, entry.path());
    wall.material = names.materials.resolve(entry, "material");
    wall.motion = names.motions.resolve(entry, "motion", -1);
    wall.surface = names.motions.resolve(entry, "surface", -1);
    const std::size_t first = scene.model.walls.size();
    const std::string shape = entry.one_of(shapes);
    if (shape == "mesh") {
      wall.geometry = read_mesh_wall(entry, files, wall, scene.model, scene.warnings);
      wall.wears = entry.flag("wear", false);
      scene.model.walls.push_back(wall);
    } else if (auto table = shape.empty() ? std::nullopt : entry.table(shape, true)) {
      if (shape == "box") {
        inside = add_box<D>(*table, wall, scene.model.walls, open);
        ++boxes;
      } else {
        wall.geometry = shape == "plane" ? read_plane<D>(*table) : read_cylinder<D>(*table);
        if (D == 3 && wall.geometry.shape == WallShape::cylinder)
          for (const double side : {1.0, -1.0})
            open.push_back({fmt::format("one end of cylinder '{}'", wall.name), side * wall.geometry.direction});
        scene.model.walls.push_back(wall);
      }
    }
    check_surface(entry, scene.model, scene.model.walls, first);
    if (entry.has("soil") && shape == "box")
      entry.fail("soil", "is under a box; accepted: under a plane or a mesh");
    else if (scene.model.walls.size() > first)
      read_soil(entry, scene.model.walls.back());
    entry.finish();
  }
  return boxes == 1 ? inside : std::nullopt;
}

template std::optional<SceneRegion<2>> read_walls<2>(TableReader&, Scene<2>&, SceneNames&, NamedFiles&,
                                                     std::vector<OpenSide<2>>&);
template std::optional<SceneRegion<3>> read_walls<3>(TableReader&, Scene<3>&, SceneNames&, NamedFiles&,
                                                     std::vector<OpenSide<3>>&);

}  // namespace moreau::inline scene
