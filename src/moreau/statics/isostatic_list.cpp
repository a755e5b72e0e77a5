#include "moreau/statics/isostatic_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace moreau::statics {

template <int D>
Freedoms<D> freedoms_of_pairs(const Model<D>& model, const State<D>& state, std::span<const Pair> pairs, const Load<D>& load) {
  const Bodies<D>& bodies = state.bodies;
  std::vector<bool> takes_part(bodies.size(), norm(load.gravity) > 0.0);
  for (std::size_t i = 0; i < load.force.size(); ++i)
    if (norm(load.force[i]) > 0.0) takes_part[i] = true;
  for (const Pair& p : pairs) {
    takes_part[static_cast<std::size_t>(p.a)] = true;
    if (!is_wall(p.b)) takes_part[static_cast<std::size_t>(p.b)] = true;
  }
  std::vector<std::size_t> moving;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (takes_part[i] && bodies.is_free(i)) moving.push_back(i);
  return freedoms_of(model, bodies.size(), std::move(moving), false);
}

namespace {

// The coordinates along which a body at plane walls with these normals, fewer than D and independent, is free to move: such that
// the others determine its place.
std::vector<int> coordinates_along(const std::vector<Vec<2>>& normals) {
  if (normals.empty()) return {0, 1};
  return {std::abs(normals[0][0]) > std::abs(normals[0][1]) ? 1 : 0};
}
std::vector<int> coordinates_along(const std::vector<Vec<3>>& normals) {
  if (normals.empty()) return {0, 1, 2};
  const auto largest = [](const Vec<3>& v) {
    return static_cast<int>(std::max_element(v.c, v.c + 3, [](double x, double y) { return std::abs(x) < std::abs(y); }) - v.c);
  };
  if (normals.size() == 2) return {largest(cross(normals[0], normals[1]))};
  std::vector<int> along{0, 1, 2};
  along.erase(along.begin() + largest(normals[0]));
  return along;
}

// Along periodic directions in which no wall or fixed body holds the others everything could shift together; and a loaded body
// that lies on plane walls alone could slide along them.
template <int D>
void hold_what_is_neutral(const Model<D>& model, const State<D>& state, const Load<D>& load, IsostaticList<D>& list) {
  Freedoms<D>& freedoms = list.freedoms;
  const bool weighs = norm(load.gravity) > 0.0 || !load.force.empty();
  if (freedoms.body.empty() || (!model.cell.start.any() && !weighs)) return;
  std::array<bool, D> shifts;
  for (int d = 0; d < D; ++d) shifts[static_cast<std::size_t>(d)] = model.cell.start.periodic[d];
  std::vector<std::vector<Vec<D>>> flat(freedoms.body.size());
  std::vector<bool> touches_other(freedoms.body.size(), false);
  for (const Contact<D>& c : contacts_of(model, state, std::span<const Pair>(list.pairs))) {
    const bool wall = is_wall(c.pair.b);
    bool all_free = !wall;
    for (const std::int32_t b : {c.pair.a, c.pair.b}) {
      if (is_wall(b)) continue;
      const int place = freedoms.place[static_cast<std::size_t>(b)];
      if (place < 0) {
        all_free = false;
      } else if (wall && model.walls[static_cast<std::size_t>(wall_index(c.pair.b))].geometry.shape == WallShape::plane) {
        flat[static_cast<std::size_t>(place)].push_back(c.normal);
      } else {
        touches_other[static_cast<std::size_t>(place)] = true;
      }
    }
    for (int d = 0; d < D && !all_free; ++d)
      if (std::abs(c.normal[d]) > 1e-9) shifts[static_cast<std::size_t>(d)] = false;
  }
  for (std::size_t k = 0; k < freedoms.body.size(); ++k) {
    const bool slides = weighs && !touches_other[k] && flat[k].size() < D;
    std::vector<int> along;
    if (slides) along = coordinates_along(flat[k]);
    for (int d = 0; d < D; ++d)
      if ((k == 0 && shifts[static_cast<std::size_t>(d)]) || std::find(along.begin(), along.end(), d) != along.end())
        freedoms.held.emplace_back(static_cast<int>(k), d);
  }
}

}  // namespace

template <int D>
IsostaticList<D> list_of(const Model<D>& model, const State<D>& state, std::vector<Pair> pairs, const Load<D>& load) {
  IsostaticList<D> list{std::move(pairs), {}};
  list.freedoms = freedoms_of_pairs(model, state, std::span<const Pair>(list.pairs), load);
  hold_what_is_neutral(model, state, load, list);
  return list;
}

template <int D>
SparseRows matrix_of(const Model<D>& model, const State<D>& state, const IsostaticList<D>& list) {
  const std::vector<Contact<D>> contacts = contacts_of(model, state, list.pairs);
  return contact_matrix<D>(list.freedoms, state.bodies.parameters.radius, contacts);
}

template <int D>
ListNames names_of(const Freedoms<D>& freedoms, std::vector<Pair> pairs) {
  ListNames names{std::move(pairs), {}};
  const int bodies = static_cast<int>(freedoms.place.size());
  for (const std::size_t i : freedoms.body)
    for (int d = 0; d < D; ++d)
      if (freedoms.column(i, d) >= 0) names.column.push_back(D * static_cast<int>(i) + d);
  for (const std::size_t p : freedoms.piston) names.column.push_back(D * bodies + static_cast<int>(p));
  for (const auto& [p, q] : freedoms.gradient) names.column.push_back(-1 - D * p - q);
  return names;
}

template <int D>
bool close_gaps(const Model<D>& model, State<D>& state, const IsostaticList<D>& list, ListFactor& factor, double tolerance,
                double longest) {
  constexpr int most = 12;
  for (int k = 0; k < most; ++k) {
    const std::vector<Contact<D>> contacts = contacts_of(model, state, list.pairs);
    Eigen::VectorXd gap(static_cast<Eigen::Index>(contacts.size())), u;
    for (std::size_t l = 0; l < contacts.size(); ++l) gap[static_cast<Eigen::Index>(l)] = contacts[l].gap;
    factor.set(contact_matrix<D>(list.freedoms, state.bodies.parameters.radius, contacts), names_of(list));
    if (gap.size() == 0 || gap.cwiseAbs().maxCoeff() <= tolerance) return true;
    if (!factor.solve(-gap, u, newton_precision) || !(u.cwiseAbs().maxCoeff() <= longest)) return false;
    displace(state, list.freedoms, u);
  }
  return false;
}

bool balancing_forces(ListFactor& factor, const Eigen::VectorXd& F, Eigen::VectorXd& f) { return factor.solve_transposed(-F, f); }

double imbalance(const SparseRows& G, const Eigen::VectorXd& f, const Eigen::VectorXd& F) {
  return F.size() > 0 ? (G.transpose() * f + F).cwiseAbs().maxCoeff() : 0.0;
}

template <int D>
double imbalance(const Model<D>& model, const State<D>& state, const IsostaticList<D>& list, const Eigen::VectorXd& f,
                 const Load<D>& load) {
  IsostaticList<D> all = list;
  all.freedoms.held.clear();
  return imbalance(matrix_of(model, state, all), f, force_of(model, state, all.freedoms, load));
}

template <int D>
void put_at_rest(const Model<D>& model, State<D>& state, std::span<const Pair> pairs, const Eigen::VectorXd& force) {
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return pairs[i] < pairs[j]; });
  const std::vector<Contact<D>> contacts = contacts_of(model, state, pairs);
  ContactTable<D>& table = state.contacts;
  const bool beyond = !table.condition.empty(), couples = !table.couple.empty();
  table.resize(pairs.size(), false, model.cell.start.any());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Contact<D>& c = contacts[order[k]];
    table.a[k] = c.pair.a, table.b[k] = c.pair.b;
    table.gap[k] = c.gap, table.normal[k] = c.normal;
    table.impulse[k] = (model.time_step * force[static_cast<Eigen::Index>(order[k])]) * c.normal;
    if (!table.image.empty()) table.image[k] = c.pair.image;
  }
  table.resize_law_rows(beyond, couples);
  std::fill(table.condition.begin(), table.condition.end(), condition_of(ContactStatus::stick, JointBond::none));
  std::fill(table.couple.begin(), table.couple.end(), Spin<D>{});
  state.impulse_time_step = model.time_step;
  for (Vec<D>& v : state.bodies.state.velocity) v = {};
  for (Spin<D>& s : state.bodies.state.spin) s = {};
  for (PistonState& piston : state.pistons) piston.speed = 0.0;
  state.cell.rate = {};
}

template <int D>
std::vector<Pair> pushing_pairs(const State<D>& state, double threshold) {
  const ContactTable<D>& table = state.contacts;
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (const double p = dot(table.impulse[i], table.normal[i]); p > 0.0) sum += p, ++count;
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (dot(table.impulse[i], table.normal[i]) * static_cast<double>(count) > threshold * sum)
      pairs.push_back({table.a[i], table.b[i], table.image.empty() ? 0 : table.image[i], 0});
  return pairs;
}

#define MOREAU_INSTANTIATE(D)                                                                                                   \
  template Freedoms<D> freedoms_of_pairs(const Model<D>&, const State<D>&, std::span<const Pair>, const Load<D>&);              \
  template IsostaticList<D> list_of(const Model<D>&, const State<D>&, std::vector<Pair>, const Load<D>&);                       \
  template SparseRows matrix_of(const Model<D>&, const State<D>&, const IsostaticList<D>&);                                     \
  template double imbalance(const Model<D>&, const State<D>&, const IsostaticList<D>&, const Eigen::VectorXd&, const Load<D>&); \
  template ListNames names_of(const Freedoms<D>&, std::vector<Pair>);                                                           \
  template bool close_gaps(const Model<D>&, State<D>&, const IsostaticList<D>&, ListFactor&, double, double);                   \
  template void put_at_rest(const Model<D>&, State<D>&, std::span<const Pair>, const Eigen::VectorXd&);                         \
  template std::vector<Pair> pushing_pairs(const State<D>&, double);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::statics
