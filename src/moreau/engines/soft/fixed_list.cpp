// Small displacements: the contacts of the beginning of a phase, with their normals, for the whole of it and for the phases after
// it that go on with small displacements.
//
// The gap is n.(x_a - x_b) - r_a - r_b with the normal n as it was: the gap itself to begin with, and from there on linear in the
// displacements. Contacts open and close; what has opened comes back without a tangential spring. That a list was begun is seen
// from the table, which then says how far its contacts are apart (ContactTable::apart).
#include <algorithm>

#include "moreau/contact/fields.hpp"
#include "moreau/engines/refusal.hpp"
#include "moreau/engines/soft/soft_engine.hpp"

namespace moreau::inline engines {

template <int D>
bool SoftEngine<D>::has_list(const State<D>& state) const {
  return !state.contacts.apart.empty() && state.contacts.apart.size() == state.contacts.size();
}

// Rows of the table that carry, as bodies and walls stand now.
template <int D>
void SoftEngine<D>::begin_list(const Model<D>& model, State<D>& state) {
  ContactTable<D>& table = state.contacts;
  apparatus_.place(model, state, state.time);
  const BodyState<D>& bodies = state.bodies.state;
  const std::vector<double>& radius = state.bodies.parameters.radius;
  std::size_t n = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!(dot(table.impulse[i], table.normal[i]) > 0.0)) continue;
    const std::size_t a = static_cast<std::size_t>(table.a[i]);
    Separation<D> s;
    if (is_wall(table.b[i])) {
      const std::size_t w = static_cast<std::size_t>(wall_index(table.b[i]));
      s = separation(model.walls[w].geometry, apparatus_.wall_shift[w], bodies.position[a], radius[a]);
    } else {
      const std::size_t b = static_cast<std::size_t>(table.b[i]);
      const Vec<D> shift = table.image.empty() ? Vec<D>{} : apparatus_.shift_of(table.image[i]);
      const Vec<D> apart = bodies.position[a] - bodies.position[b] - shift;
      const double distance = norm(apart);
      s.normal = (1.0 / distance) * apart, s.gap = distance - radius[a] - radius[b];
    }
    fields::contact_table(table, [&](const char*, auto& column) {
      if (!column.empty()) column[n] = column[i];
    });
    table.normal[n] = s.normal, table.gap[n] = s.gap;
    ++n;
  }
  if (n == 0)
    throw EngineRefusal(
        "soft.small_displacements keeps the contacts that carry when its phase begins, and none does; accepted: a phase before "
        "it "
        "that brings the bodies to rest");
  ContactTable<D> list = table;
  fields::contact_table(list, [&](const char*, auto& column) {
    if (!column.empty()) column.resize(n);
  });
  list.point.clear(), list.feature.clear(), list.condition.clear(), list.couple.clear(), list.colour.clear(), list.area.clear();
  list.spring.resize(needs_.tangential != soft::Tangential::none ? n : 0), list.deepest.resize(needs_.deepest ? n : 0);
  list.apart = list.gap;
  table = std::move(list);
  renewed_ = true;
}

// The contacts of the list as those that were found, each in its row.
template <int D>
void SoftEngine<D>::recall_list(const Model<D>& model, const State<D>& state) {
  const ContactTable<D>& table = state.contacts;
  const std::size_t n = table.size();
  if (std::exchange(renewed_, false) || touching_.found.size() != n) {
    touching_.found.resize(n), touching_.row.assign(state.bodies.size() + 1, 0), touching_.image = table.image;
    for (std::size_t i = 0; i < n; ++i) {
      touching_.found[i] = {table.a[i], table.b[i], static_cast<std::int32_t>(i)};
      ++touching_.row[static_cast<std::size_t>(table.a[i]) + 1];
    }
    for (std::size_t a = 0; a < state.bodies.size(); ++a) touching_.row[a + 1] += touching_.row[a];
    touching_.changed = false, touching_.recalled = n;
  }
  shift_.resize(table.image.size()), drift_.resize(shift_.size());
  for (std::size_t i = 0; i < shift_.size(); ++i)
    shift_[i] = apparatus_.shift_of(table.image[i]), drift_[i] = model.cell.deforms ? apparatus_.gradient * shift_[i] : Vec<D>{};
}

#define MOREAU_INSTANTIATE(D)                                          \
  template bool SoftEngine<D>::has_list(const State<D>&) const;        \
  template void SoftEngine<D>::begin_list(const Model<D>&, State<D>&); \
  template void SoftEngine<D>::recall_list(const Model<D>&, const State<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines
