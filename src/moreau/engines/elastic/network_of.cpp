#include "moreau/engines/elastic/network_of.hpp"

#include <set>

#include "moreau/dynamics/contact_records.hpp"
#include "moreau/statics/isostatic_list.hpp"

namespace moreau::elastic {

namespace {

constexpr double carries_above = 1e-6;  // of the mean normal force; and what a sliding contact may miss of its limit

}  // namespace

template <int D>
std::vector<double> Structure<D>::friction() const {
  std::vector<double> mu;
  for (const Spring& s : network.spring) mu.push_back(s.tangential > 0.0 ? s.friction : 0.0);
  return mu;
}

template <int D>
int Structure<D>::hyperstatic(const Eigen::VectorXd& force) const {
  const std::vector<double> mu = friction();
  double mean = 0.0;
  for (std::size_t c = 0; c < contacts.size(); ++c) mean += force[D * static_cast<Eigen::Index>(c)];
  mean /= static_cast<double>(contacts.size());
  int free = 0;
  std::set<std::size_t> carries;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Eigen::Index row = D * static_cast<Eigen::Index>(c);
    if (!(force[row] > carries_above * mean)) continue;
    const bool sticks = mu[c] > 0.0 && force.segment(row + 1, D - 1).norm() < (1.0 - carries_above) * mu[c] * force[row];
    free += sticks ? D : 1;
    for (const std::int32_t end : {contacts[c].pair.a, contacts[c].pair.b})
      if (!is_wall(end) && freedoms.takes_part(static_cast<std::size_t>(end))) carries.insert(static_cast<std::size_t>(end));
  }
  return free - freedoms.each() * static_cast<int>(carries.size()) -
         static_cast<int>(freedoms.piston.size() + freedoms.gradient.size());
}

template <int D>
Structure<D> structure_of(const Model<D>& model, const State<D>& state, const statics::Load<D>& load, const Material& material) {
  const ContactTable<D>& table = state.contacts;
  Structure<D> s;
  std::vector<double> forces;
  const auto add = [&](const statics::Contact<D>& contact, const Vec<D>& force) {
    const bool bodies = !is_wall(contact.pair.b);
    const double mu =
        bodies && material.friction ? *material.friction : law_of(model, state.bodies, contact.pair.a, contact.pair.b).friction;
    s.contacts.push_back(contact);
    s.network.spring.push_back({material.normal, material.ratio * material.normal, mu});
    for (const Vec<D>& axis : statics::axes_of(contact.normal)) forces.push_back(dot(axis, force));
  };
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (const double p = dot(table.impulse[i], table.normal[i]); p > 0.0) sum += p, ++count;
  const auto all = statics::contacts_of_table(model, state);
  std::set<statics::Pair> listed;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double p = dot(table.impulse[i], table.normal[i]);
    if (!(p * static_cast<double>(count) > material.threshold * sum)) continue;
    add(all[i], (1.0 / state.impulse_time_step) * table.impulse[i]);
    listed.insert(all[i].pair);
  }
  s.carrying = s.contacts.size();
  if (material.near > 0.0) {
    Neighbours<D> neighbours;
    for (const statics::Contact<D>& c : statics::contacts_within(model, state, neighbours, material.near))
      if (!listed.contains(c.pair)) add(c, (-material.normal * std::max(c.gap, 0.0)) * c.normal);
  }
  std::vector<statics::Pair> pairs;
  for (const auto& c : s.contacts) pairs.push_back(c.pair);
  s.freedoms = statics::freedoms_of_pairs(model, state, std::span<const statics::Pair>(pairs), load);
  s.freedoms.spins = true;
  s.network.G = statics::contact_matrix<D>(s.freedoms, state.bodies.parameters.radius, s.contacts,
                                           std::vector<bool>(s.contacts.size(), true));
  s.network.force = Eigen::Map<const Eigen::VectorXd>(forces.data(), static_cast<Eigen::Index>(forces.size()));
  s.network.flow = material.flow;
  return s;
}

#define MOREAU_INSTANTIATE(D)   \
  template struct Structure<D>; \
  template Structure<D> structure_of(const Model<D>&, const State<D>&, const statics::Load<D>&, const Material&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::elastic
