#include "moreau/ranks/share.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "moreau/base/exact_sum.hpp"
#include "moreau/contact/periodic_points.hpp"
#include "moreau/dynamics/apparatus.hpp"

namespace moreau::ranks {

namespace {

// Margins as those of neighbour lists (contact/neighbours.cpp), somewhat wider: ghosts cost more to choose than lists to build.
constexpr double skin_over_mean_radius = 0.3;
constexpr double horizon_steps = 20.0;

template <int D>
struct Box {
  Vec<D> low, high;
  double reach = 0.0;  // the largest of a body in it
};

template <int D>
double distance_square(const Box<D>& box, const Vec<D>& x) {
  double sum = 0.0;
  for (int d = 0; d < D; ++d) {
    const double off = std::max({0.0, box.low[d] - x[d], x[d] - box.high[d]});
    sum += off * off;
  }
  return sum;
}

struct Means {
  ExactSum<double> radius, speed;
  std::uint64_t bodies = 0;
  Means& operator+=(const Means& o) { return radius += o.radius, speed += o.speed, bodies += o.bodies, *this; }
};

// Upper bound of the speed of its surface.
template <int D>
double speed_of(const BodyRecord<D>& b) {
  return b.kind == BodyKind::fixed ? 0.0 : norm(b.velocity) + (b.shape < 0 ? 0.0 : b.radius * norm(b.spin));
}

// As fast as the farthest image that a body may meet moves besides, with a gradient of one.
template <int D>
double extent(const Matrix<D>& vectors) {
  double sum = 0.0;
  for (const Vec<D>& row : vectors.row) sum += norm(row);
  return 2.0 * sum;
}
template <int D>
double size_of(const Matrix<D>& m) {
  double sum = 0.0;
  for (const Vec<D>& row : m.row) sum += dot(row, row);
  return std::sqrt(sum);
}

// By which a body, folded into the cell, may be shifted to meet others that are.
template <int D>
std::vector<Vec<D>> shifts_of(const Lattice<D>& lattice) {
  std::vector<Vec<D>> shifts{Vec<D>{}};
  for (int d = 0; d < D; ++d) {
    if (!lattice.periodic[d]) continue;
    Vec<D> vector;
    for (int p = 0; p < D; ++p) vector[p] = lattice.vectors.row[p][d];
    const std::size_t count = shifts.size();
    for (std::size_t k = 0; k < count; ++k) shifts.push_back(shifts[k] + vector), shifts.push_back(shifts[k] - vector);
  }
  return shifts;
}

// Bodies and their contacts go where they belong from now on.
template <int D>
void migrate(Communicator& ranks, const Lattice<D>& lattice, const Division& division, std::vector<BodyRecord<D>>& bodies,
             std::vector<ContactRecord<D>>& contacts) {
  std::vector<double> points, weights(bodies.size(), 1.0);
  std::vector<std::int32_t> names;
  for (const BodyRecord<D>& body : bodies) {
    const Vec<D> at = lattice.any() ? lattice.folded(body.position) : body.position;
    for (int d = 0; d < D; ++d) points.push_back(at[d]);
    names.push_back(body.name);
  }
  const auto index_of = [&](std::int32_t name) {
    return static_cast<std::size_t>(std::lower_bound(names.begin(), names.end(), name) - names.begin());
  };
  for (const ContactRecord<D>& contact : contacts) weights[index_of(contact.a)] += contact_weight;
  for (double& weight : weights) weight *= division.rate;
  std::vector<int> to = ranks.partition(D, points, weights, names);
  const std::span<const std::int32_t> crowd = division.crowd;
  for (std::size_t i = 0; i < (crowd.empty() ? 0 : names.size()); ++i)
    if (std::binary_search(crowd.begin(), crowd.end(), names[i])) to[i] = ranks.size() - 1;
  const std::size_t count = static_cast<std::size_t>(ranks.size());
  // Lists of numbers, not of records: when a run begins, rank 0 has all of them.
  std::vector<std::vector<std::uint32_t>> bodies_to(count), contacts_to(count);
  for (std::uint32_t i = 0; i < bodies.size(); ++i) bodies_to[static_cast<std::size_t>(to[i])].push_back(i);
  for (std::uint32_t k = 0; k < contacts.size(); ++k)
    contacts_to[static_cast<std::size_t>(to[index_of(contacts[k].a)])].push_back(k);
  std::vector<Bytes> sent(count);
  for (std::size_t r = 0; r < count; ++r) {
    if (bodies_to[r].empty()) continue;
    sent[r].reserve(2 * sizeof(std::size_t) + bodies_to[r].size() * sizeof(BodyRecord<D>) +
                    contacts_to[r].size() * sizeof(ContactRecord<D>));
    put(sent[r], bodies_to[r].size());
    for (const std::uint32_t i : bodies_to[r]) put(sent[r], bodies[i]);
    put(sent[r], contacts_to[r].size());
    for (const std::uint32_t k : contacts_to[r]) put(sent[r], contacts[k]);
  }
  bodies = {}, contacts = {};
  for (const Bytes& part : ranks.exchange(sent)) {
    if (part.empty()) continue;
    Reader reader(part);
    reader.take_all(bodies), reader.take_all(contacts);
  }
  std::sort(bodies.begin(), bodies.end(), [](const auto& x, const auto& y) { return x.name < y.name; });
  std::stable_sort(contacts.begin(), contacts.end(), [](const auto& x, const auto& y) { return x.a < y.a; });
}

}  // namespace

template <int D>
std::vector<BodyRecord<D>> Share<D>::own_bodies() const {
  std::vector<BodyRecord<D>> records;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (own[i]) records.push_back(body_record(state.bodies, i, name[i], key[i]));
  return records;
}

template <int D>
std::vector<ContactRecord<D>> Share<D>::contacts() const {
  const ContactTable<D>& t = state.contacts;
  std::vector<ContactRecord<D>> records;
  records.reserve(t.size());
  for (std::size_t i = 0; i < t.size(); ++i)
    records.push_back(contact_record(t, i, name[static_cast<std::size_t>(t.a[i])],
                                     is_wall(t.b[i]) ? t.b[i] : name[static_cast<std::size_t>(t.b[i])]));
  return records;
}

template <int D>
bool Reach<D>::holds(const Share<D>& share, const LookAhead& now, const Lattice<D>& lattice, const Matrix<D>& gradient) const {
  if (lattice.any() && !(size_of(gradient) * extent(vectors) * now.time + extent(lattice.vectors + (-1.0) * vectors) <= drift))
    return false;
  const Bodies<D>& bodies = share.state.bodies;
  std::size_t k = 0;
  for (std::size_t i = 0; i < share.name.size(); ++i) {
    if (!share.own[i]) continue;
    const Vec<D> moved = bodies.state.position[i] - position[k];
    const double path = dot(moved, moved), speed = speed_of(body_record(bodies, i, share.name[i], 0));
    const bool near = path <= margin[k] * margin[k] &&
                      now.time * speed + 0.5 * now.distance <= ahead.time * allowed_speed[k] + 0.5 * ahead.distance;
    if (!near && std::isfinite(path) && std::isfinite(speed)) return false;  // else the run ends anyway
    ++k;
  }
  return true;
}

template <int D>
void divide(Communicator& ranks, const Model<D>& model, const LookAhead& ahead, const Division& division, double margin,
            Share<D>& share, Reach<D>& reach) {
  const Lattice<D> lattice = lattice_of(model, share.state);
  std::vector<BodyRecord<D>> bodies = share.own_bodies();
  std::vector<ContactRecord<D>> contacts = share.contacts();
  share.state.bodies.parameters = {}, share.state.bodies.state = {}, share.state.contacts = {};
  if (division.anew) migrate(ranks, lattice, division, bodies, contacts);

  // How far each body of ours may reach.
  Means means;
  for (const BodyRecord<D>& b : bodies) means.radius.add(b.radius), means.speed.add(speed_of(b)), ++means.bodies;
  ranks.combine(&means, sizeof means,
                [](void* to, const void* from) { *static_cast<Means*>(to) += *static_cast<const Means*>(from); });
  const double n = static_cast<double>(std::max<std::uint64_t>(1, means.bodies)), h = model.time_step;
  const double mean_radius = means.radius.value() / n, skin = margin * 0.5 * skin_over_mean_radius * mean_radius;
  const double travel = h * means.speed.value() / n;
  const double steps =
      travel > 0.0 ? std::clamp(margin * 0.5 * mean_radius / travel, 1.0, margin * horizon_steps) : horizon_steps;
  reach = {};
  reach.ahead = ahead, reach.vectors = lattice.vectors;
  if (lattice.any()) {
    const Matrix<D> gradient = model.cell.deforms ? share.state.cell.rate * inverse(lattice.vectors) : Matrix<D>{};
    reach.drift = margin * (skin + 4.0 * (h + ahead.time) * size_of(gradient) * extent(lattice.vectors));
  }
  std::vector<double> radius;
  Box<D> box;
  for (int d = 0; d < D; ++d) box.low[d] = HUGE_VAL, box.high[d] = -HUGE_VAL;
  for (const BodyRecord<D>& b : bodies) {
    const double now = speed_of(b), may = skin + steps * h * now, allowed = 2.0 * margin * now + skin / h;
    reach.position.push_back(b.position), reach.margin.push_back(may), reach.allowed_speed.push_back(allowed);
    radius.push_back(b.radius + may + 0.5 * ahead.distance + ahead.time * allowed + reach.drift);
    if (b.kind == BodyKind::removed) continue;
    box.reach = std::max(box.reach, radius.back());
    const Vec<D> at = lattice.any() ? lattice.folded(b.position) : b.position;
    for (int d = 0; d < D; ++d) {
      box.low[d] = std::min(box.low[d], at[d] - radius.back());
      box.high[d] = std::max(box.high[d], at[d] + radius.back());
    }
  }

  // Our bodies that may meet one of another rank go there.
  const std::size_t count = static_cast<std::size_t>(ranks.size()), me = static_cast<std::size_t>(ranks.rank());
  std::vector<Bytes> sent(count);
  for (std::size_t r = 0; r < count; ++r) put(sent[r], box);
  const std::vector<Bytes> boxes = ranks.exchange(sent);
  const std::vector<Vec<D>> shifts = shifts_of(lattice);
  const double width = lattice.any() ? least_width(lattice) : 0.0;
  std::vector<std::vector<std::uint32_t>> mine(count);
  for (std::size_t r = 0; r < count; ++r) {
    sent[r].clear();
    if (r == me) continue;
    const Box<D> there = Reader(boxes[r]).take<Box<D>>();
    std::vector<BodyRecord<D>> going;
    const auto is_near = [&](std::size_t k) {
      if (lattice.any() && radius[k] + there.reach > width) return true;  // images beyond the nearest
      const Vec<D> at = lattice.any() ? lattice.folded(bodies[k].position) : bodies[k].position;
      return std::ranges::any_of(shifts,
                                 [&](const Vec<D>& s) { return distance_square<D>(there, at + s) <= radius[k] * radius[k]; });
    };
    for (std::size_t k = 0; k < bodies.size(); ++k)
      if (bodies[k].kind != BodyKind::removed && is_near(k))
        going.push_back(bodies[k]), mine[r].push_back(static_cast<std::uint32_t>(k));
    if (!going.empty()) put_all<BodyRecord<D>>(sent[r], going);
  }
  const std::vector<Bytes> came = ranks.exchange(sent);

  // Own bodies and ghosts together, by name.
  std::vector<int> owner(bodies.size(), ranks.rank());
  const std::size_t own_count = bodies.size();
  for (std::size_t r = 0; r < count; ++r) {
    if (came[r].empty()) continue;
    Reader(came[r]).take_all(bodies);
    owner.resize(bodies.size(), static_cast<int>(r));
  }
  std::vector<std::uint32_t> by_name(bodies.size()), number(bodies.size());
  std::iota(by_name.begin(), by_name.end(), 0);
  std::sort(by_name.begin(), by_name.end(), [&](std::uint32_t x, std::uint32_t y) { return bodies[x].name < bodies[y].name; });
  for (std::uint32_t i = 0; i < by_name.size(); ++i) number[by_name[i]] = i;
  Bodies<D>& here = share.state.bodies;
  here.parameters = {}, here.state = {};
  share.name.clear(), share.own.clear(), share.key.clear(), share.halo.peers.clear();
  for (const std::uint32_t k : by_name) {
    append(here, bodies[k]);
    share.name.push_back(bodies[k].name), share.key.push_back(bodies[k].key), share.own.push_back(k < own_count ? 1 : 0);
  }
  for (std::size_t r = 0; r < count; ++r) {
    Halo::Peer peer{static_cast<int>(r), std::move(mine[r]), {}};
    for (std::uint32_t& body : peer.mine) body = number[body];
    for (std::size_t k = own_count; k < bodies.size(); ++k)
      if (owner[k] == peer.rank) peer.theirs.push_back(number[k]);
    if (!peer.mine.empty() || !peer.theirs.empty()) share.halo.peers.push_back(std::move(peer));
  }

  // Contacts by numbers here. A partner that is not here any more is too far away to be touched in this step.
  std::unordered_map<std::int32_t, std::int32_t> number_of;
  for (std::size_t i = 0; i < share.name.size(); ++i) number_of[share.name[i]] = static_cast<std::int32_t>(i);
  share.state.contacts = {};
  for (ContactRecord<D> contact : contacts) {
    contact.a = number_of.at(contact.a);
    if (!is_wall(contact.b)) {
      const auto at = number_of.find(contact.b);
      if (at == number_of.end()) continue;
      contact.b = at->second;
    }
    append(share.state.contacts, contact);
  }
  std::vector<std::int32_t>& order = share.state.order;
  order.resize(share.name.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t x, std::int32_t y) {
    const std::uint64_t at_x = share.key[static_cast<std::size_t>(x)], at_y = share.key[static_cast<std::size_t>(y)];
    return at_x != at_y ? at_x < at_y : x < y;
  });
}

#define MOREAU_INSTANTIATE(D) \
  template struct Share<D>;   \
  template struct Reach<D>;   \
  template void divide(Communicator&, const Model<D>&, const LookAhead&, const Division&, double, Share<D>&, Reach<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::ranks
