// Tables of mixing, of means on grids, and of contacts between species.
#include "moreau/measure/motion/mixing.hpp"
#include "moreau/measure/quantity.hpp"

namespace moreau::measure {

namespace {

template <int D>
double cell_of(const Sample<D>& sample, const Choices& choices) {
  return choices.width > 0.0 ? choices.width : 2.0 * mean_diameter(sample);
}

const char* const no_free_bodies = "there are no free bodies";

template <int D>
Table mixing_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  Table table;
  const double cell = cell_of(sample, choices);
  if (!(cell > 0.0)) return Table::refused(no_free_bodies);
  const Species<D> species = species_of(sample);
  if (species.name.size() < 2) return Table::refused("all bodies are of one material and one size: there is nothing to mix");
  for (const Region<D>& region : regions_of_bodies(sample, choices)) {
    const std::vector<Mixing<D>> all = mixing(sample, species, region, cell);
    for (std::size_t s = 0; s < all.size(); ++s) {
      RowWriter row(table);
      row.add("region", region.name);
      row.add("species", species.name[s]);
      row.add("bodies", all[s].bodies);
      row.add("share", all[s].share);
      row.add("cells", all[s].cells);
      row.add("variance", all[s].variance);
      row.add("apart", all[s].apart);
      row.add("random", all[s].random);
      row.add("lacey", all[s].lacey);
      row.add("intensity", all[s].intensity);
      row.add_vector("offset", all[s].offset, D);
    }
  }
  return table;
}

template <int D>
Table cells_table(const std::vector<GridCell<D>>& cells, bool axial) {
  Table table;
  for (const GridCell<D>& cell : cells) {
    RowWriter row(table);
    if (axial) {
      row.add("radius", cell.centre[0]);
      row.add("height", cell.centre[D - 1]);
    } else {
      row.add_vector("centre", cell.centre, D);
    }
    row.add("bodies", cell.bodies);
    row.add("solid_fraction", cell.solid_fraction);
    if (axial) {
      row.add("velocity_radial", cell.velocity[0]);
      row.add("velocity_around", cell.velocity[1]);
      row.add("velocity_vertical", cell.velocity[D - 1]);
    } else {
      row.add_vector("velocity", cell.velocity, D);
    }
    row.add("temperature", cell.temperature);
  }
  return table.rows.empty() ? Table::refused(no_free_bodies) : table;
}

template <int D>
Table fields_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  const double cell = cell_of(sample, choices);
  return cell > 0.0 ? cells_table(grid_means(sample, cell), false) : Table::refused(no_free_bodies);
}

template <int D>
Table axial_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  if constexpr (D == 2) {
    return Table::refused("means about an axis need three dimensions");
  } else {
    const double cell = cell_of(sample, choices);
    return cell > 0.0 ? cells_table(axial_means(sample, axis_of<3>(choices), cell), true) : Table::refused(no_free_bodies);
  }
}

template <int D>
Table species_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  const Species<D> species = species_of(sample);
  const auto z = species_coordination(sample, species, choices.threshold);
  Table table;
  for (std::size_t s = 0; s < z.size(); ++s) {
    RowWriter row(table);
    row.add("species", species.name[s]);
    for (std::size_t t = 0; t < z.size(); ++t) row.add("with " + species.name[t], z[s][t]);
    row.add("with obstacles", z[s].back());
  }
  return table.rows.empty() ? Table::refused(no_free_bodies) : table;
}

}  // namespace

template <int D>
void add_mixing_quantities(std::vector<Quantity<D>>& list) {
  list.push_back({"mixing", "Lacey's index and intensity of segregation of every species, and where its middle lies", Needs::one,
                  true, mixing_table<D>});
  list.push_back({"species-coordination", "contacts of a body of each species with each", Needs::one, false, species_table<D>});
  list.push_back(
      {"fields", "solid fraction, velocity and granular temperature on a grid (--width)", Needs::one, false, fields_table<D>});
  list.push_back({"axial-fields", "the same over rings about the vertical axis", Needs::one, false, axial_table<D>});
}

template void add_mixing_quantities(std::vector<Quantity<2>>&);
template void add_mixing_quantities(std::vector<Quantity<3>>&);

}  // namespace moreau::measure
