#include "moreau/engines/geometric/support.hpp"

#include <algorithm>
#include <cmath>

namespace moreau::geometric {

namespace {

// Normals that leave no force to be in balance but zero.
bool independent(const std::vector<Vec<2>>& n) { return n.size() < 2 || std::abs(n[0][0] * n[1][1] - n[0][1] * n[1][0]) > 1e-7; }
bool independent(const std::vector<Vec<3>>& n) {
  if (n.size() < 2) return true;
  const Vec<3> across = cross(n[0], n[1]);
  return n.size() == 2 ? norm(across) > 1e-7 : std::abs(dot(across, n[2])) > 1e-7;
}

}  // namespace

template <int D>
std::optional<Mechanism<D>> open_contact(const Model<D>& model, const State<D>& state, const IsostaticList<D>& list, int opened,
                                         const Load<D>& load) {
  const std::vector<Contact<D>> contacts = contacts_of(model, state, list.pairs);
  const std::size_t first = static_cast<std::size_t>(opened);
  std::vector<bool> kept(contacts.size(), true);
  std::vector<std::vector<std::size_t>> of_body(state.bodies.size());
  for (std::size_t c = 0; c < contacts.size(); ++c)
    for (const std::int32_t b : {contacts[c].pair.a, contacts[c].pair.b})
      if (!is_wall(b) && list.freedoms.takes_part(static_cast<std::size_t>(b))) of_body[static_cast<std::size_t>(b)].push_back(c);

  const auto loaded = [&](std::size_t i) {
    return norm(load.gravity) > 0.0 || (i < load.force.size() && norm(load.force[i]) > 0.0);
  };
  Mechanism<D> mechanism;
  kept[first] = false;
  std::vector<std::size_t> open{first};
  for (std::size_t k = 0; k < open.size(); ++k)
    for (const std::int32_t b : {contacts[open[k]].pair.a, contacts[open[k]].pair.b}) {
      if (is_wall(b)) continue;
      const std::size_t i = static_cast<std::size_t>(b);
      std::vector<Vec<D>> normals;
      for (const std::size_t c : of_body[i])
        if (kept[c]) normals.push_back(contacts[c].normal);
      if (loaded(i) || normals.size() > D || !independent(normals)) continue;
      for (const std::size_t c : of_body[i])
        if (kept[c]) kept[c] = false, open.push_back(c);
    }
  for (const std::size_t c : open) mechanism.lost.push_back(contacts[c].pair);
  if (open.size() == 1) {
    mechanism.list = list, mechanism.row = opened;
    return mechanism;
  }
  std::vector<Pair> pairs;
  for (std::size_t c = 0; c < contacts.size(); ++c)
    if (kept[c]) pairs.push_back(contacts[c].pair);
  mechanism.list = list_of(model, state, pairs, load);
  if (static_cast<int>(pairs.size()) + 1 != mechanism.list.freedoms.size()) return {};
  mechanism.row = static_cast<int>(pairs.size());
  mechanism.list.pairs.push_back(contacts[first].pair);  // to be filled
  return mechanism;
}

template std::optional<Mechanism<2>> open_contact(const Model<2>&, const State<2>&, const IsostaticList<2>&, int, const Load<2>&);
template std::optional<Mechanism<3>> open_contact(const Model<3>&, const State<3>&, const IsostaticList<3>&, int, const Load<3>&);

}  // namespace moreau::geometric
