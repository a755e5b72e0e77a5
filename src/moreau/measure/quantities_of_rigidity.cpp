// Tables of rigidity and of undetermined forces.
#include <algorithm>

#include "moreau/measure/contacts/coordination.hpp"
#include "moreau/measure/quantity.hpp"
#include "moreau/measure/rigidity/indeterminacy.hpp"
#include "moreau/measure/rigidity/rigidity.hpp"

namespace moreau::measure {

namespace {

// Without friction only the normal forces count; with it, both ways of counting.
template <int D>
Table rigidity_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  const Structure structure = force_carrying_structure(sample, choices.threshold);
  if (structure.contacts.empty()) return Table::refused("no contact carries a force");
  Table table;
  const auto line = [&](const char* counted, ContactForces forces) {
    const Rigidity r = rigidity(sample, structure, forces);
    RowWriter row(table);
    row.add("counted", counted);
    row.add("grains", r.bodies);
    row.add("contacts", r.contacts);
    row.add("forces", r.forces);
    row.add("freedoms", r.freedoms);
    row.add("rank", r.rank);
    row.add("hyperstatic", r.hyperstatic());
    row.add("hypostatic", r.hypostatic());
  };
  line("normal forces", ContactForces::normal);
  if (std::any_of(sample.friction.begin(), sample.friction.end(), [](double mu) { return mu > 0.0; })) {
    line("tangents where they stick", ContactForces::mobile);
    line("all components", ContactForces::complete);
  }
  return table;
}

template <int D>
Table structure_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  const std::vector<bool> carrying = carrying_contacts(sample, choices.threshold);
  const std::vector<bool> rattles = rattlers(sample, carrying, least_contacts(sample));
  std::vector<std::size_t> count(sample.bodies(), 0);
  for (std::size_t c = 0; c < carrying.size(); ++c) {
    if (!carrying[c]) continue;
    ++count[sample.a(c)];
    if (!is_wall(sample.contacts->b[c])) ++count[sample.b(c)];
  }
  Table table;
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    if (!sample.is_free(i)) continue;
    RowWriter row(table);
    row.add("body", i);
    row.add_vector("position", sample.state->position[i], D);
    row.add("carrying_contacts", count[i]);
    row.add("rattler", rattles[i] ? 1 : 0);
  }
  return table;
}

template <int D>
Table indeterminacy_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  std::vector<std::size_t> wanted = choices.contacts;
  const std::size_t n = sample.contacts->size();
  for (const std::size_t c : wanted)
    if (c >= n)
      return Table::refused("contact " + std::to_string(c) + " does not exist; there are " + std::to_string(n) +
                            ", counted from 0");
  if (wanted.empty()) {
    for (std::size_t c = 0; c < n; ++c) wanted.push_back(c);
    if (n > 500) {
      std::stable_sort(wanted.begin(), wanted.end(),
                       [&](std::size_t p, std::size_t q) { return sample.normal_force(p) > sample.normal_force(q); });
      wanted.resize(20);
    }
  }
  Table table;
  for (const ForceRange& r : indeterminacy(sample, wanted)) {
    RowWriter row(table);
    row.add("contact", r.contact);
    row.add("a", sample.contacts->a[r.contact]);
    row.add("b", sample.contacts->b[r.contact]);
    row.add("now", r.now);
    row.add("least", r.least);
    row.add("most", r.most);
  }
  return table.rows.empty() ? Table::refused("there is no contact") : table;
}

}  // namespace

template <int D>
void add_rigidity_quantities(std::vector<Quantity<D>>& list) {
  list.push_back({"rigidity", "degrees of hyperstaticity and hypostaticity of the force-carrying structure", Needs::one, false,
                  rigidity_table<D>});
  list.push_back(
      {"structure", "every grain: its carrying contacts, and whether it is a rattler", Needs::one, false, structure_table<D>});
  list.push_back({"indeterminacy", "range of each normal force that balance and Coulomb's law allow (linear or conic program)",
                  Needs::one, false, indeterminacy_table<D>});
}

template void add_rigidity_quantities(std::vector<Quantity<2>>&);
template void add_rigidity_quantities(std::vector<Quantity<3>>&);

}  // namespace moreau::measure
