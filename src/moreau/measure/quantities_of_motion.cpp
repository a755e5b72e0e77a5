// Tables of velocities, displacements and strains.
#include "moreau/measure/motion/motion_field.hpp"
#include "moreau/measure/quantity.hpp"

namespace moreau::measure {

namespace {

// Tables with a row per grain or cell take one region.
template <int D, class Make>
Table in_one_region(const Sample<D>& sample, const Choices& choices, const Make& make) {
  const std::vector<Region<D>> regions = regions_of_bodies(sample, choices);
  if (regions.size() != 1) return Table::refused("one region is accepted, not " + std::to_string(regions.size()));
  return make(regions[0]);
}

template <int D>
Table field_table(const MotionField<D>& field, const char* name) {
  const MeanMotion<D> mean = mean_motion(field);
  Table table;
  for (std::size_t k = 0; k < field.body.size(); ++k) {
    RowWriter row(table);
    row.add("body", field.body[k]);
    row.add_vector("position", field.place[k], D);
    row.add_vector(name, field.motion[k], D);
    row.add_vector("fluctuation", mean.fluctuation[k], D);
  }
  return table;
}

template <int D>
void add_mean(RowWriter& row, const MeanMotion<D>& m, const char* mean, const char* strain) {
  row.add("grains", m.bodies);
  row.add_vector(mean, m.mean, D);
  row.add_tensor(strain, m.strain(), D);
  row.add("volumetric", m.strain().trace());
  row.add("rotation", m.rotation());
  row.add("fluctuation_rms", m.fluctuation_rms);
}

template <int D>
Table velocity_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  return in_one_region(sample, choices,
                       [&](const Region<D>& region) { return field_table(velocities(sample, region), "velocity"); });
}

template <int D>
Table strain_rate_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  Table table;
  for (const Region<D>& region : regions_of_bodies(sample, choices)) {
    RowWriter row(table);
    row.add("region", region.name);
    add_mean(row, mean_motion(velocities(sample, region)), "velocity", "strain_rate");
  }
  return table;
}

template <int D>
Table displacement_table(const Sample<D>& sample, const Sample<D>& before, const Choices& choices) {
  return in_one_region(before, choices, [&](const Region<D>& region) {
    return field_table(displacements(before, sample, region), "displacement");
  });
}

template <int D>
Table strain_table(const Sample<D>& sample, const Sample<D>& before, const Choices& choices) {
  Table table;
  for (const Region<D>& region : regions_of_bodies(before, choices)) {
    RowWriter row(table);
    row.add("region", region.name);
    row.add("since", before.time);
    add_mean(row, mean_motion(displacements(before, sample, region)), "displacement", "strain");
    row.add_vector("wall_strain", wall_strain(before, sample), D);
  }
  return table;
}

template <int D>
Table map_table(const MotionField<D>& field, const Sample<D>& sample, const Choices& choices, const char* name) {
  const double cell = choices.width > 0.0 ? choices.width : 2.0 * mean_diameter(sample);
  Table table;
  if (!(cell > 0.0)) return Table::refused("the sample has no free grain");
  const CellAverages<D> cells = average_in_cells(field, domain_of(sample).shape, cell);
  for (std::size_t k = 0; k < cells.mean.size(); ++k) {
    RowWriter row(table);
    row.add_vector("cell", cells.centre[k], D);
    row.add("grains", cells.bodies[k]);
    row.add_vector(name, cells.mean[k], D);
  }
  return table;
}

template <int D>
Table velocity_map(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  return in_one_region(sample, choices, [&](const Region<D>& region) {
    return map_table(velocities(sample, region), sample, choices, "velocity");
  });
}

template <int D>
Table displacement_map(const Sample<D>& sample, const Sample<D>& before, const Choices& choices) {
  return in_one_region(before, choices, [&](const Region<D>& region) {
    return map_table(displacements(before, sample, region), before, choices, "displacement");
  });
}

}  // namespace

template <int D>
void add_motion_quantities(std::vector<Quantity<D>>& list) {
  list.push_back({"velocities", "velocity of every grain, and its fluctuation about the mean strain rate", Needs::one, true,
                  velocity_table<D>});
  list.push_back({"velocity-map", "velocities averaged in cells", Needs::one, true, velocity_map<D>});
  list.push_back(
      {"strain-rate", "mean strain rate (compression positive), rotation, fluctuations", Needs::one, true, strain_rate_table<D>});
  list.push_back({"displacements",
                  "displacement of every grain since an earlier frame, and its fluctuation about the mean strain", Needs::two,
                  true, displacement_table<D>});
  list.push_back({"displacement-map", "displacements averaged in cells", Needs::two, true, displacement_map<D>});
  list.push_back({"strain", "mean strain since an earlier frame, from grains and from walls", Needs::two, true, strain_table<D>});
}

template void add_motion_quantities(std::vector<Quantity<2>>&);
template void add_motion_quantities(std::vector<Quantity<3>>&);

}  // namespace moreau::measure
