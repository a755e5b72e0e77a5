// Tables of how the grains fill space.
#include <cmath>

#include "moreau/measure/contacts/coordination.hpp"
#include "moreau/measure/packing/solid_fraction.hpp"
#include "moreau/measure/packing/voronoi.hpp"
#include "moreau/measure/quantity.hpp"

namespace moreau::measure {

namespace {

// Without a choice: the whole, and the bulk away from the walls by three largest diameters (Combe 2001, sec. 2.3) if there is
// one.
template <int D>
Table solid_fraction_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  std::vector<Region<D>> regions = regions_of(sample, choices);
  if (choices.regions.empty()) {
    double largest = 0.0;
    for (std::size_t i = 0; i < sample.bodies(); ++i)
      if (sample.is_free(i)) largest = std::max(largest, 2.0 * sample.parameters->radius[i]);
    const Domain<D> domain = domain_of(sample);
    const auto bulk = domain.bulk(3.0 * largest);
    if (bulk && bulk->volume() < domain.shape.volume()) regions.push_back(*bulk);
  }
  Table table;
  for (const Region<D>& region : regions) {
    const SolidFraction s = solid_fraction(sample, region);
    RowWriter row(table);
    row.add("region", region.name);
    row.add("volume", s.volume);
    row.add("matter", s.matter);
    row.add("solid_fraction", s.fraction());
    row.add("void_ratio", s.void_ratio());
  }
  return table;
}

template <int D>
Table coordination_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  Table table;
  for (const Region<D>& region : regions_of_bodies(sample, choices)) {
    const Coordination z = coordination(sample, region, choices.threshold);
    RowWriter row(table);
    row.add("region", region.name);
    row.add("grains", z.bodies);
    row.add("rattlers", z.rattlers);
    row.add("contacts", z.contacts);
    row.add("obstacle_contacts", z.obstacle_contacts);
    row.add("coordination", z.mean);
    row.add("without_rattlers", z.without_rattlers);
    row.add("neighbours", z.neighbours);
  }
  return table;
}

template <int D>
Table voronoi_table(const Sample<D>& sample, const Sample<D>&, const Choices&) {
  Table table;
  for (const VoronoiCell& cell : voronoi_cells(sample, domain_of(sample))) {
    RowWriter row(table);
    row.add("body", cell.body);
    row.add_vector("position", sample.state->position[cell.body], D);
    row.add("cell", cell.volume);
    row.add("solid_fraction", cell.fraction);
    row.add("neighbours", cell.neighbours);
    row.add("open", cell.open ? 1 : 0);
  }
  return table.rows.empty() ? Table::refused("no grain lies in the sample, so there are no cells") : table;
}

}  // namespace

template <int D>
void add_packing_quantities(std::vector<Quantity<D>>& list) {
  list.push_back({"solid-fraction", "share of a region that is matter, and void ratio, with and without the skin of the walls",
                  Needs::one, true, solid_fraction_table<D>});
  list.push_back({"coordination", "contacts per grain with and without rattlers, and the rattlers", Needs::one, true,
                  coordination_table<D>});
  list.push_back({"voronoi", "local solid fraction: the Voronoi cell of every grain", Needs::one, false, voronoi_table<D>});
}

template void add_packing_quantities(std::vector<Quantity<2>>&);
template void add_packing_quantities(std::vector<Quantity<3>>&);

}  // namespace moreau::measure
