#include "moreau/statics/placement.hpp"

#include "moreau/dynamics/apparatus.hpp"

namespace moreau::statics {

namespace {

template <int D>
struct Stage {
  const Model<D>& model;
  const State<D>& state;
  std::vector<Vec<D>> wall_shift = wall_shifts(model, state);
  Lattice<D> lattice = lattice_of(model, state);

  Contact<D> contact(const Pair& pair) const {
    const Bodies<D>& bodies = state.bodies;
    const std::size_t a = static_cast<std::size_t>(pair.a);
    const double radius = bodies.parameters.radius[a];
    const Vec<D>& x = bodies.state.position[a];
    Contact<D> c;
    c.pair = pair;
    if (is_wall(pair.b)) {
      const std::size_t w = static_cast<std::size_t>(wall_index(pair.b));
      const Separation<D> s = separation(model.walls[w].geometry, wall_shift[w], x, radius);
      c.gap = s.gap, c.normal = s.normal;
    } else {
      const std::size_t b = static_cast<std::size_t>(pair.b);
      c.branch = x - bodies.state.position[b] - lattice.shift(pair.image);
      const double distance = norm(c.branch);
      c.gap = distance - radius - bodies.parameters.radius[b];
      c.normal = (1.0 / distance) * c.branch;
      c.arm_b = (bodies.parameters.radius[b] + 0.5 * c.gap) * c.normal;
    }
    c.arm_a = -(radius + 0.5 * c.gap) * c.normal;
    return c;
  }
};

}  // namespace

template <int D>
std::vector<Contact<D>> contacts_of(const Model<D>& model, const State<D>& state, std::span<const Pair> pairs) {
  const Stage<D> stage{model, state};
  std::vector<Contact<D>> contacts;
  contacts.reserve(pairs.size());
  for (const Pair& pair : pairs) contacts.push_back(stage.contact(pair));
  return contacts;
}

template <int D>
std::vector<Contact<D>> contacts_within(const Model<D>& model, const State<D>& state, Neighbours<D>& neighbours,
                                        double distance) {
  const Stage<D> stage{model, state};
  const std::vector<Vec<D>> at_rest(model.walls.size(), Vec<D>{});
  const Surroundings<D> around{model.walls, stage.wall_shift, at_rest, stage.lattice, {}, {}};
  neighbours.update(state.bodies, state.bodies.state.position, around, model.time_step, {0.0, distance});
  std::vector<Contact<D>> contacts;
  for (std::size_t a = 0; a < state.bodies.size(); ++a)
    for (std::uint32_t k = neighbours.row[a]; k < neighbours.row[a + 1]; ++k) {
      const Contact<D> c = stage.contact(
          {static_cast<std::int32_t>(a), neighbours.partner[k], neighbours.image.empty() ? 0 : neighbours.image[k], 0});
      if (c.gap <= distance) contacts.push_back(c);
    }
  return contacts;
}

template <int D>
void displace(State<D>& state, const Freedoms<D>& freedoms, const Eigen::VectorXd& u) {
  std::vector<Vec<D>>& position = state.bodies.state.position;
  if (!freedoms.gradient.empty()) {
    Matrix<D> gradient{};
    for (std::size_t k = 0; k < freedoms.gradient.size(); ++k)
      gradient.row[freedoms.gradient[k].first][freedoms.gradient[k].second] = u[freedoms.column_of_gradient(static_cast<int>(k))];
    for (Vec<D>& x : position) x += gradient * x;
    state.cell.vectors = state.cell.vectors + gradient * state.cell.vectors;
  }
  for (const std::size_t i : freedoms.body)
    for (int d = 0; d < D; ++d)
      if (const int column = freedoms.column(i, d); column >= 0) position[i][d] += u[column];
  for (std::size_t k = 0; k < freedoms.piston.size(); ++k)
    state.pistons[freedoms.piston[k]].displacement += u[freedoms.column_of_piston(static_cast<int>(k))];
}

template <int D>
std::vector<Contact<D>> contacts_of_table(const Model<D>& model, const State<D>& state) {
  const Stage<D> stage{model, state};
  const ContactTable<D>& table = state.contacts;
  std::vector<Contact<D>> contacts;
  contacts.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Pair pair{table.a[i], table.b[i], table.image.empty() ? 0 : table.image[i],
                    table.feature.empty() ? 0 : table.feature[i]};
    if (table.point.empty()) {
      contacts.push_back(stage.contact(pair));
      continue;
    }
    // The point belongs to the middle of the step, and so do the arms.
    const auto middle = [&](std::int32_t body) {
      const std::size_t k = static_cast<std::size_t>(body);
      return state.bodies.state.position[k] - (0.5 * state.impulse_time_step) * state.bodies.state.velocity[k];
    };
    Contact<D> c;
    c.pair = pair, c.gap = table.gap[i], c.normal = table.normal[i];
    c.arm_a = table.point[i] - middle(pair.a);
    if (!is_wall(pair.b)) {
      c.arm_b = table.point[i] - middle(pair.b) - stage.lattice.shift(pair.image);
      c.branch = c.arm_b - c.arm_a;
    }
    contacts.push_back(c);
  }
  return contacts;
}

#define MOREAU_INSTANTIATE(D)                                                                                 \
  template std::vector<Contact<D>> contacts_of(const Model<D>&, const State<D>&, std::span<const Pair>);      \
  template std::vector<Contact<D>> contacts_within(const Model<D>&, const State<D>&, Neighbours<D>&, double); \
  template void displace(State<D>&, const Freedoms<D>&, const Eigen::VectorXd&);                              \
  template std::vector<Contact<D>> contacts_of_table(const Model<D>&, const State<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::statics
