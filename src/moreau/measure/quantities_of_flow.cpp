// Tables of what passes, leaves, drives, and where named bodies go.
#include <algorithm>
#include <string>

#include "moreau/dynamics/worn_faces.hpp"
#include "moreau/measure/motion/flow.hpp"
#include "moreau/measure/packing/rotation_angle.hpp"
#include "moreau/measure/quantity.hpp"

namespace moreau::measure {

namespace {

void flow_row(Table& table, const std::string& where, const Crossing& c, double time) {
  RowWriter row(table);
  row.add("through", where);
  row.add("forward", c.forward);
  row.add("backward", c.backward);
  row.add("mass_forward", c.mass_forward);
  row.add("mass_backward", c.mass_backward);
  const double number = static_cast<double>(c.forward) - static_cast<double>(c.backward);
  row.add("number_rate", time > 0.0 ? number / time : 0.0);
  row.add("mass_rate", time > 0.0 ? (c.mass_forward - c.mass_backward) / time : 0.0);
}

template <int D>
Table flow_table(const Sample<D>& sample, const Sample<D>& before, const Choices& choices) {
  Table table;
  const double time = sample.time - before.time;
  Vec<D> point, normal;
  for (int d = 0; d < D; ++d) point[d] = choices.point[d], normal[d] = choices.normal[d];
  if (norm(normal) > 0.0) flow_row(table, "plane", crossings(before, sample, point, normal), time);
  std::vector<Crossing> of_sink(sample.sinks.size());
  for (const Exit& exit : exits(before, sample)) {
    if (exit.sink < 0) continue;
    Crossing& c = of_sink[static_cast<std::size_t>(exit.sink)];
    ++c.forward, c.mass_forward += sample.parameters->mass[exit.body];
  }
  for (std::size_t s = 0; s < of_sink.size(); ++s) flow_row(table, sample.sinks[s].name, of_sink[s], time);
  return table.rows.empty() ? Table::refused("there is no plane (--plane) and no sink through which something could flow")
                            : table;
}

template <int D>
Table exits_table(const Sample<D>& sample, const Sample<D>& before, const Choices&) {
  Table table;
  for (const Exit& exit : exits(before, sample)) {
    RowWriter row(table);
    row.add("body", exit.body);
    row.add("sink", exit.sink < 0 ? std::string("?") : sample.sinks[static_cast<std::size_t>(exit.sink)].name);
    const std::size_t material = static_cast<std::size_t>(sample.parameters->material[exit.body]);
    row.add("material", material < sample.materials.size() ? sample.materials[material] : std::to_string(material));
    row.add("mass", sample.parameters->mass[exit.body]);
    row.add("born", sample.parameters->birth[exit.body]);
    row.add("left_after", std::max(before.time, sample.parameters->birth[exit.body]));
    row.add("left_before", sample.time);
    row.add("residence", exit.residence);
  }
  if (table.rows.empty())  // its columns are there all the same, for files that are read later
    return {{"body", "sink", "material", "mass", "born", "left_after", "left_before", "residence"},
            {},
            "no body left between the two instants"};
  return table;
}

template <int D>
Table wall_drive_table(const Sample<D>& sample, const Sample<D>&, const Choices&) {
  Table table;
  for (const WallDrive<D>& drive : wall_drives(sample)) {
    RowWriter row(table);
    row.add("wall", drive.name);
    row.add_vector("force", drive.force, D);
    if constexpr (D == 2)
      row.add("torque", drive.torque[0]);
    else
      row.add_vector("torque", drive.torque, 3);
    row.add("power", drive.power);
  }
  return table.rows.empty() ? Table::refused("there are no walls and no driven bodies") : table;
}

// Of several bodies under one name: their mean. Groups that follow one another with the same name are one (bodies/body_names.hpp).
template <int D>
Table bodies_table(const Sample<D>& sample, const Sample<D>& before, const Choices& choices) {
  std::vector<NamedGroup> groups = choices.bodies;
  if (groups.empty())
    for (std::size_t i = 0; i < sample.bodies(); ++i)
      if (sample.is_free(i)) groups.push_back({std::to_string(i), i, 1});
  Table table;
  for (std::size_t g = 0, next = 0; g < groups.size(); g = next) {
    Vec<D> place{}, moved{}, velocity{};
    Spin<D> spin{};
    double mass = 0.0, turned = 0.0;
    std::size_t present = 0;
    for (next = g; next < groups.size() && groups[next].name == groups[g].name; ++next)
      for (std::size_t i = groups[next].first; i < std::min(groups[next].first + groups[next].count, sample.bodies()); ++i) {
        if (!sample.is_present(i)) continue;
        const double m = sample.parameters->mass[i];
        ++present, mass += m;
        place += m * sample.state->position[i];
        velocity += m * sample.state->velocity[i];
        spin += m * sample.state->spin[i];
        if (i < before.bodies()) {
          moved += m * (sample.state->position[i] - before.state->position[i]);
          turned += m * angle_between(before.state->orientation[i], sample.state->orientation[i]);
        }
      }
    if (present == 0) continue;
    RowWriter row(table);
    row.add("name", groups[g].name);
    row.add("bodies", present);
    row.add_vector("position", (1.0 / mass) * place, D);
    row.add_vector("displacement", (1.0 / mass) * moved, D);
    row.add("turned", turned / mass);
    row.add_vector("velocity", (1.0 / mass) * velocity, D);
    if constexpr (D == 2)
      row.add("spin", spin[0] / mass);
    else
      row.add_vector("spin", (1.0 / mass) * spin, 3);
  }
  return table.rows.empty() ? Table::refused("none of the bodies asked for is there") : table;
}

template <int D>
Table wear_table(const Sample<D>& sample, const Sample<D>&, const Choices&) {
  Table table;
  const std::vector<std::size_t> first = first_worn_faces<D>(sample.walls);
  if (first.back() == 0) return Table::refused("no wall wears; accepted: a wall that is a mesh and has 'wear = true'");
  if (!sample.wear || sample.wear->size() != first.back()) return Table::refused("no step has been made yet");
  for (std::size_t w = 0; w < sample.walls.size(); ++w)
    for (std::size_t f = first[w]; f < first[w + 1]; ++f) {
      const Mesh<D>& mesh = sample.walls[w].geometry.mesh->mesh;
      const double area = area_of_face(mesh, f - first[w]);
      Vec<D> middle = sample.walls[w].geometry.point;
      for (const std::int32_t v : mesh.faces[f - first[w]]) middle += (1.0 / D) * mesh.vertices[static_cast<std::size_t>(v)];
      RowWriter row(table);
      row.add("wall", sample.walls[w].name);
      row.add("face", f - first[w]);
      row.add_vector("middle", middle, D);  // as in the scene
      row.add("area", area);
      row.add("work", (*sample.wear)[f]);
      row.add("work_per_area", (*sample.wear)[f] / area);
    }
  return table;
}

}  // namespace

template <int D>
void add_flow_quantities(std::vector<Quantity<D>>& list) {
  list.push_back({"flow", "bodies and mass through a plane (--plane) and out of every sink between two instants, and rates",
                  Needs::two, false, flow_table<D>});
  list.push_back(
      {"exits", "bodies that left between two instants: sink, time, residence time", Needs::two, false, exits_table<D>});
  list.push_back(
      {"wall-drive", "force, torque and power of every wall and of driven bodies", Needs::one, false, wall_drive_table<D>});
  list.push_back({"wear", "work of friction on every face of the meshes that wear", Needs::one, false, wear_table<D>});
  list.push_back({"bodies", "place, displacement, rotation and velocity of bodies by name (--body), or of every free one",
                  Needs::two, false, bodies_table<D>});
}

template void add_flow_quantities(std::vector<Quantity<2>>&);
template void add_flow_quantities(std::vector<Quantity<3>>&);

}  // namespace moreau::measure
