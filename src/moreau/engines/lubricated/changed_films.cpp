#include "moreau/engines/lubricated/changed_films.hpp"

#include <cmath>

#include "moreau/engines/lubricated/films.hpp"

namespace moreau::lubricated {

namespace {

template <int D>
bool are_changed(const Model<D>& model, const State<D>& state) {
  const ContactTable<D>& table = state.contacts;
  const double reach = reach_of(model, state.bodies), rounding = thinnest_new * mean_diameter(state.bodies);
  Neighbours<D> neighbours;
  const std::vector<statics::Contact<D>> near = statics::contacts_within(model, state, neighbours, reach);
  std::size_t row = 0;
  const auto pair_of = [&](std::size_t i) {
    return statics::Pair{table.a[i], table.b[i], table.image.empty() ? 0 : table.image[i], 0};
  };
  for (const statics::Contact<D>& c : near) {  // both in the order of the table
    while (row < table.size() && pair_of(row) < c.pair) {
      if (table.apart[row] < reach - rounding) return true;  // no longer near
      ++row;
    }
    const bool known = row < table.size() && pair_of(row) == c.pair;
    if (known ? std::abs(c.gap - table.apart[row]) > rounding : c.gap < -rounding) return true;
    if (known) ++row;
  }
  for (; row < table.size(); ++row)
    if (table.apart[row] < reach - rounding) return true;
  return false;
}

}  // namespace

template <int D>
void forget_changed_films(const Model<D>& model, State<D>& state) {
  if (model.engine != EngineKind::lubricated || state.contacts.apart.empty()) return;
  if (are_changed(model, state)) state.contacts.apart.clear();
}

template void forget_changed_films(const Model<2>&, State<2>&);
template void forget_changed_films(const Model<3>&, State<3>&);

}  // namespace moreau::lubricated
