// Tables of stress and of what the walls carry.
#include "moreau/measure/heap/ground_pressure.hpp"
#include "moreau/measure/quantity.hpp"
#include "moreau/measure/stress/body_forces.hpp"
#include "moreau/measure/stress/stress.hpp"
#include "moreau/measure/stress/wall_forces.hpp"

namespace moreau::measure {

namespace {

template <int D>
Table stress_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  Table table;
  for (const Region<D>& region : regions_of(sample, choices)) {
    const Stress<D> s = stress(sample, region);
    const Principal<D> p = principal<D>(s.contact);
    RowWriter row(table);
    row.add("region", region.name);
    row.add("volume", s.volume);
    row.add("contacts", s.contacts);
    row.add_tensor("stress", s.contact, D);
    row.add("pressure", s.pressure());
    row.add("largest", p.values[0]);
    row.add("smallest", p.values[D - 1]);
    row.add("principal_difference", p.values[0] - p.values[D - 1]);
    row.add_vector("direction", p.direction, D);
    if (choices.kinetic) row.add_tensor("kinetic", s.kinetic, D);
  }
  return table;
}

// The difference is that of bodies out of balance, and of the certificate of the step.
template <int D>
Table stress_balance_table(const Sample<D>& sample, const Sample<D>&, const Choices&) {
  if (sample.lattice.any()) return Table::refused("a periodic cell has no boundary whose forces could be compared");
  const Region<D> whole = domain_of(sample).whole();
  const Tensor<D> inside = stress(sample, whole).contact, outside = stress_from_boundary(sample, whole.volume());
  Table table;
  RowWriter row(table);
  row.add("volume", whole.volume());
  row.add_tensor("contacts", inside, D);
  row.add_tensor("boundary", outside, D);
  row.add("difference", (inside - outside).norm() / inside.norm());
  return table;
}

template <int D>
Table wall_force_table(const Sample<D>& sample, const Sample<D>&, const Choices&) {
  Table table;
  for (const WallForce<D>& wall : wall_forces(sample)) {
    RowWriter row(table);
    row.add("wall", wall.name);
    row.add("contacts", wall.contacts);
    row.add_vector("force", wall.force, D);
    row.add("normal", wall.normal);
    row.add_vector("tangential", wall.tangential, D);
    row.add("vertical", wall.vertical);
  }
  return table.rows.empty() ? Table::refused("the sample has no walls, and no bodies that are not free") : table;
}

template <int D>
Table weight_table(const Sample<D>& sample, const Sample<D>&, const Choices&) {
  const WeightBalance b = weight_balance(sample);
  Table table;
  RowWriter row(table);
  row.add("weight", b.weight);
  row.add("ground", b.ground);
  row.add("other_walls", b.other_walls);
  row.add("carried", b.carried());
  return table;
}

template <int D>
Table grain_stress_table(const Sample<D>& sample, const Sample<D>&, const Choices&) {
  const std::vector<Tensor<D>> moments = internal_moments(sample);
  Table table;
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    if (!sample.is_free(i)) continue;
    const Tensor<D> s = moments[i] / sample.volume[i];
    RowWriter row(table);
    row.add("body", i);
    row.add_vector("position", sample.state->position[i], D);
    row.add_tensor("stress", s, D);
    row.add("pressure", s.trace() / D);
  }
  return table;
}

template <int D>
Table body_force_table(const Sample<D>& sample, const Sample<D>&, const Choices&) {
  Table table;
  for (const BodyForce<D>& b : body_forces(sample)) {
    RowWriter row(table);
    row.add("body", b.name);
    row.add("contacts", b.contacts);
    row.add_vector("position", b.position, D);
    row.add_vector("force", b.force, D);
    if constexpr (D == 2)
      row.add("moment", b.moment[0]);
    else
      row.add_vector("moment", b.moment, 3);
  }
  if (table.rows.empty()) table.refusal = "no body of the scene has a name; accepted: a 'name' of a [[grain]] or a [[block]]";
  return table;
}

}  // namespace

template <int D>
void add_stress_quantities(std::vector<Quantity<D>>& list) {
  list.push_back({"stress", "mean stress of a region (Love, Weber), compression positive, with pressure and principal values",
                  Needs::one, true, stress_table<D>});
  list.push_back({"stress-balance", "the same stress from the contacts and from the boundary: equal in equilibrium", Needs::one,
                  false, stress_balance_table<D>});
  list.push_back(
      {"grain-stress", "stress of every grain: its internal moment over its volume", Needs::one, false, grain_stress_table<D>});
  list.push_back(
      {"wall-forces", "force on every wall, split in normal, tangential and vertical", Needs::one, false, wall_force_table<D>});
  list.push_back({"body-forces", "contact force and moment on every body, or group, that has a name in the scene", Needs::one,
                  false, body_force_table<D>});
  list.push_back({"weight", "the weight of the grains and who carries it", Needs::one, false, weight_table<D>});
}

template void add_stress_quantities(std::vector<Quantity<2>>&);
template void add_stress_quantities(std::vector<Quantity<3>>&);

}  // namespace moreau::measure
