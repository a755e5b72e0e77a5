// The contacts of the last step as users see them: where they are, what they carry, how they move.
#include "moreau/dynamics/contact_records.hpp"

#include "moreau/contact/contact_status.hpp"
#include "moreau/dynamics/apparatus.hpp"

namespace moreau::inline dynamics {

template <int D>
ContactRecords<D> contact_records(const Model<D>& model, const State<D>& state) {
  const ContactTable<D>& table = state.contacts;
  const Bodies<D>& bodies = state.bodies;
  const double h = state.impulse_time_step;
  const std::vector<Vec<D>> wall = wall_velocities(model, state, state.time - 0.5 * h), wall_shift = wall_shifts(model, state);
  std::vector<RigidVelocity<D>> surface(wall.size());
  for (std::size_t w = 0; w < wall.size(); ++w) surface[w] = surface_of(model, state, w, wall_shift[w], state.time - 0.5 * h);
  // The cell at the middle of the step; its images move as at the end of it.
  Lattice<D> lattice = lattice_of(model, state);
  Matrix<D> gradient{};
  if (model.cell.deforms) {
    lattice.vectors = lattice.vectors + (-0.5 * h) * state.cell.rate;
    gradient = state.cell.rate * inverse(lattice.vectors);
  }
  const auto middle = [&](std::size_t i) { return bodies.state.position[i] - (0.5 * h) * bodies.state.velocity[i]; };
  Vec<D> centre{};  // of mass, about which the cell deforms
  if (model.cell.deforms) {
    double mass = 0.0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies.is_free(i)) centre += bodies.parameters.mass[i] * middle(i), mass += bodies.parameters.mass[i];
    if (mass > 0.0) centre *= 1.0 / mass;
  }
  const auto velocity_at = [&](std::size_t i, const Vec<D>& arm) {
    return bodies.state.velocity[i] + cross(bodies.state.spin[i], arm);
  };
  ContactRecords<D> r;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::size_t a = static_cast<std::size_t>(table.a[i]);
    const std::int32_t b = table.b[i];
    const std::size_t j = static_cast<std::size_t>(is_wall(b) ? wall_index(b) : b);
    const Vec<D>& n = table.normal[i];
    const bool round = table.point.empty();
    const Vec<D> point = round ? middle(a) - (bodies.parameters.radius[a] + 0.5 * table.gap[i]) * n : table.point[i];
    Vec<D> u = velocity_at(a, round ? -bodies.parameters.radius[a] * n : point - middle(a));
    const Vec<D> shift = table.image.empty() ? Vec<D>{} : lattice.shift(table.image[i]);
    if (is_wall(b)) u -= gradient * (point - centre);  // a wall is deformed with the cell
    u -= is_wall(b) ? wall[j] + (model.walls[j].surface < 0 ? Vec<D>{} : surface_velocity(model.walls[j], surface[j], point, n))
                    : velocity_at(j, round ? bodies.parameters.radius[j] * n : point - middle(j) - shift) + gradient * shift;
    if (!table.image.empty()) r.shift.push_back(shift);
    r.a.push_back(table.a[i]);
    r.b.push_back(b);
    r.point.push_back(point);
    r.normal.push_back(n);
    r.gap.push_back(table.gap[i]);
    r.impulse.push_back(table.impulse[i]);
    r.force.push_back((1.0 / h) * table.impulse[i]);
    r.relative_velocity.push_back(u);
    r.status.push_back(table.condition.empty() ? status_of(table.impulse[i], n, law_of(model, bodies, table.a[i], b).friction)
                                               : table.condition[i].status());
    if (!table.condition.empty()) r.joint.push_back(table.condition[i].joint());
    if (table.couple.empty()) continue;
    r.couple.push_back((1.0 / h) * table.couple[i]);
    r.relative_spin.push_back(bodies.state.spin[a] - (is_wall(b) ? surface[j].spin : bodies.state.spin[j]));
  }
  return r;
}

template ContactRecords<2> contact_records(const Model<2>&, const State<2>&);
template ContactRecords<3> contact_records(const Model<3>&, const State<3>&);

}  // namespace moreau::inline dynamics
