#include "moreau/engines/elastic/contact_springs.hpp"

#include <algorithm>
#include <numeric>

#include "moreau/dynamics/apparatus.hpp"
#include "moreau/dynamics/contact_records.hpp"
#include "moreau/statics/isostatic_list.hpp"

namespace moreau::elastic {

namespace {

template <int D>
Spring spring_between(const Model<D>& model, const Bodies<D>& bodies, std::int32_t a, std::int32_t b) {
  const PairLaw& law = law_of(model, bodies, a, b);
  const SoftLaw& soft = model.soft_laws[static_cast<std::size_t>(&law - model.pair_laws.data())];
  return {soft.stiffness, soft.tangential_stiffness, law.friction};
}

// As the table has it: its normals stay those of the state in which the list was begun.
template <int D>
statics::Contact<D> contact_of_row(const State<D>& state, const Lattice<D>& lattice, std::size_t i) {
  const ContactTable<D>& table = state.contacts;
  statics::Contact<D> c;
  c.pair = {table.a[i], table.b[i], table.image.empty() ? 0 : table.image[i], table.feature.empty() ? 0 : table.feature[i]};
  c.gap = table.gap[i], c.normal = table.normal[i];
  const std::vector<double>& radius = state.bodies.parameters.radius;
  const std::vector<Vec<D>>& position = state.bodies.state.position;
  const std::size_t a = static_cast<std::size_t>(c.pair.a), b = static_cast<std::size_t>(c.pair.b);
  const bool body = !is_wall(c.pair.b);
  if (table.point.empty()) {
    c.arm_a = -(radius[a] + 0.5 * c.gap) * c.normal;
    if (body) c.arm_b = (radius[b] + 0.5 * c.gap) * c.normal;
  } else {
    c.arm_a = table.point[i] - position[a];
    if (body) c.arm_b = table.point[i] - position[b] - lattice.shift(c.pair.image);
  }
  // Where they are now, so that the strains of steps add up to what the places have changed by.
  if (body) c.branch = position[a] - position[b] - lattice.shift(c.pair.image);
  return c;
}

// Columns of spins are angles times radius.
template <int D>
void turn(State<D>& state, const statics::Freedoms<D>& freedoms, const Eigen::VectorXd& u) {
  for (const std::size_t i : freedoms.body) {
    Spin<D> angle{};
    for (int s = 0; s < spin_dimension<D>; ++s)
      angle[s] = u[freedoms.column_of_spin(i, s)] / state.bodies.parameters.radius[i];
    Rotation<D>& orientation = state.bodies.state.orientation[i];
    orientation = turned(orientation, angle, 1.0);
  }
}

}  // namespace

template <int D>
void begin_list(const Model<D>& model, State<D>& state, const statics::Load<D>& load) {
  Material material;
  material.normal = 1.0;  // of no importance for the list
  material.near = state.bodies.all_round() ? model.elastic.near : 0.0;
  const Structure<D> s = structure_of(model, state, load, material);
  std::vector<std::size_t> order(s.contacts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return s.contacts[i].pair < s.contacts[j].pair; });
  ContactTable<D>& table = state.contacts;
  const bool points = !table.point.empty();
  table.resize(order.size(), points, model.cell.start.any());
  table.resize_law_rows(false, false);
  table.apart.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const statics::Contact<D>& c = s.contacts[order[k]];
    const bool carries = order[k] < s.carrying;
    table.a[k] = c.pair.a, table.b[k] = c.pair.b;
    if (!table.image.empty()) table.image[k] = c.pair.image;
    if (points)
      table.point[k] = state.bodies.state.position[static_cast<std::size_t>(c.pair.a)] + c.arm_a,
      table.feature[k] = c.pair.feature;
    table.gap[k] = c.gap, table.normal[k] = c.normal;
    table.impulse[k] = {};
    const auto axes = statics::axes_of(c.normal);
    for (int d = 0; d < D && carries; ++d)
      table.impulse[k] +=
          (model.time_step * s.network.force[D * static_cast<Eigen::Index>(order[k]) + d]) * axes[static_cast<std::size_t>(d)];
    table.apart[k] = carries ? 0.0 : std::max(c.gap, 0.0);
  }
  state.impulse_time_step = model.time_step;
}

template <int D>
Structure<D> structure_of_list(const Model<D>& model, const State<D>& state, const statics::Load<D>& load) {
  const ContactTable<D>& table = state.contacts;
  const Lattice<D> lattice = lattice_of(model, state);
  Structure<D> s;
  s.carrying = table.size();
  s.network.flow = model.elastic.associated ? Flow::associated : Flow::coulomb;
  s.network.force.resize(D * static_cast<Eigen::Index>(table.size()));
  std::vector<statics::Pair> pairs;
  for (std::size_t i = 0; i < table.size(); ++i) {
    s.contacts.push_back(contact_of_row(state, lattice, i));
    pairs.push_back(s.contacts.back().pair);
    const Spring spring = spring_between(model, state.bodies, table.a[i], table.b[i]);
    s.network.spring.push_back(spring);
    const Eigen::Index row = D * static_cast<Eigen::Index>(i);
    const auto axes = statics::axes_of(s.contacts.back().normal);
    for (int d = 0; d < D; ++d)
      s.network.force[row + d] = dot(axes[static_cast<std::size_t>(d)], table.impulse[i]) / state.impulse_time_step;
    if (table.apart[i] > 0.0) s.network.force[row] = -spring.normal * table.apart[i];
  }
  s.freedoms = statics::freedoms_of_pairs(model, state, std::span<const statics::Pair>(pairs), load);
  s.freedoms.spins = true;
  s.network.G = statics::contact_matrix<D>(s.freedoms, state.bodies.parameters.radius, s.contacts,
                                           std::vector<bool>(s.contacts.size(), true));
  return s;
}

template <int D>
Eigen::VectorXd force_there(const Model<D>& model, const State<D>& state, const Structure<D>& s, const statics::Load<D>& load,
                            const Eigen::VectorXd& force) {
  Eigen::VectorXd F = statics::force_of(model, state, s.freedoms, load);
  if (s.freedoms.gradient.empty()) return F;
  const Lattice<D> lattice = lattice_of(model, state);
  const std::vector<Vec<D>>& position = state.bodies.state.position;
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    const statics::Contact<D>& c = s.contacts[i];
    if (is_wall(c.pair.b)) continue;
    const Vec<D> more = position[static_cast<std::size_t>(c.pair.a)] - position[static_cast<std::size_t>(c.pair.b)] -
                        lattice.shift(c.pair.image) - c.branch;
    const auto axes = statics::axes_of(c.normal);
    Vec<D> f{};
    for (int d = 0; d < D; ++d) f += force[D * static_cast<Eigen::Index>(i) + d] * axes[static_cast<std::size_t>(d)];
    for (std::size_t k = 0; k < s.freedoms.gradient.size(); ++k)
      F[s.freedoms.column_of_gradient(static_cast<int>(k))] += f[s.freedoms.gradient[k].first] * more[s.freedoms.gradient[k].second];
  }
  return F;
}

template <int D>
void settle(const Model<D>& model, State<D>& state, const Structure<D>& s, const Rest& rest, const Answer& contacts) {
  ContactTable<D>& table = state.contacts;
  const Eigen::VectorXd U = s.network.G * rest.displacement;
  table.resize_memory(true, false);  // the tangential springs, for a soft engine that may follow
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Eigen::Index row = D * static_cast<Eigen::Index>(i);
    const auto axes = statics::axes_of(s.contacts[i].normal);
    Vec<D> force{};
    for (int d = 0; d < D; ++d) force += contacts.force[row + d] * axes[static_cast<std::size_t>(d)];
    table.impulse[i] = model.time_step * force;
    table.spring[i] = force - contacts.force[row] * s.contacts[i].normal;
    const double trial = s.network.force[row] + s.network.spring[i].normal * (-U[row] - contacts.slip[row]);
    table.apart[i] = contacts.force[row] > 0.0 ? 0.0 : std::max(0.0, -trial / s.network.spring[i].normal);
    table.gap[i] += U[row];  // what bodies overlap by is left to a rigid engine that may follow
  }
  statics::displace(state, s.freedoms, rest.displacement);
  turn(state, s.freedoms, rest.displacement);
  state.impulse_time_step = model.time_step;
  for (Vec<D>& v : state.bodies.state.velocity) v = {};
  for (Spin<D>& w : state.bodies.state.spin) w = {};
  for (PistonState& piston : state.pistons) piston.speed = 0.0;
  state.cell.rate = {};
}

double energy_of(const Network& network, const Eigen::VectorXd& force) {
  const int D = network.dimension();
  double sum = 0.0;
  for (std::size_t c = 0; c < network.spring.size(); ++c)
    for (int d = 0; d < D; ++d) {
      const double k = d == 0 ? network.spring[c].normal : network.spring[c].sideways();
      const double f =
          std::max(0.0, d == 0 ? force[D * static_cast<Eigen::Index>(c)] : std::abs(force[D * static_cast<Eigen::Index>(c) + d]));
      if (k > 0.0) sum += 0.5 * f * f / k;
    }
  return sum;
}

#define MOREAU_INSTANTIATE(D)                                                                         \
  template void begin_list(const Model<D>&, State<D>&, const statics::Load<D>&);                      \
  template Structure<D> structure_of_list(const Model<D>&, const State<D>&, const statics::Load<D>&); \
  template Eigen::VectorXd force_there(const Model<D>&, const State<D>&, const Structure<D>&, const statics::Load<D>&,             \
                                       const Eigen::VectorXd&);                                       \
  template void settle(const Model<D>&, State<D>&, const Structure<D>&, const Rest&, const Answer&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::elastic
