#include "moreau/statics/contact_matrix.hpp"

#include "moreau/statics/rows_in_order.hpp"

namespace moreau::statics {

namespace {

int directions(const std::vector<bool>& tangents, std::size_t contact, int all) {
  return !tangents.empty() && tangents[contact] ? all : 1;
}

}  // namespace

template <int D>
SparseRows contact_matrix(const Freedoms<D>& freedoms, std::span<const double> radius, std::span<const Contact<D>> contacts,
                          const std::vector<bool>& tangents) {
  int count = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) count += directions(tangents, c, D);
  RowsInOrder rows(count, freedoms.size(), 6 * count);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const auto axes = axes_of(contacts[c].normal);
    for (int k = 0; k < directions(tangents, c, D); ++k) {
      contact_row(freedoms, radius, contacts[c], axes[static_cast<std::size_t>(k)], [&](int column, double value) { rows.put(column, value); });
      rows.end_row();
    }
  }
  return rows.take();
}

template <int D>
bool some_force_turns(const Freedoms<D>& freedoms, std::span<const double> radius, std::span<const Contact<D>> contacts,
                      const std::vector<bool>& tangents) {
  constexpr double none = 1e-9;  // of the radius
  const auto turns = [&](std::int32_t body, const Vec<D>& arm, const Vec<D>& axis) {
    const std::size_t i = static_cast<std::size_t>(body);
    return freedoms.place[i] >= 0 && norm(moment(arm, axis)) > none * radius[i];
  };
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Contact<D>& contact = contacts[c];
    const auto axes = axes_of(contact.normal);
    for (int k = 0; k < directions(tangents, c, D); ++k) {
      const Vec<D>& axis = axes[static_cast<std::size_t>(k)];
      if (turns(contact.pair.a, contact.arm_a, axis)) return true;
      if (!is_wall(contact.pair.b) && turns(contact.pair.b, contact.arm_b, axis)) return true;
    }
  }
  return false;
}

#define MOREAU_INSTANTIATE(D)                                                                                  \
  template SparseRows contact_matrix(const Freedoms<D>&, std::span<const double>, std::span<const Contact<D>>, \
                                     const std::vector<bool>&);                                                \
  template bool some_force_turns(const Freedoms<D>&, std::span<const double>, std::span<const Contact<D>>,     \
                                 const std::vector<bool>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::statics
