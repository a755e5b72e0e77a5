// Tables of the apparatus: size and stress of the sample, strains, equilibrium.
#include <cmath>

#include "moreau/measure/motion/motion_field.hpp"
#include "moreau/measure/quantity.hpp"
#include "moreau/measure/stress/balance.hpp"
#include "moreau/measure/stress/load.hpp"

namespace moreau::measure {

namespace {

template <int D>
Table load_table(const Sample<D>& sample, const Sample<D>&, const Choices&) {
  const Load<D> l = load(sample);
  Table table;
  RowWriter row(table);
  row.add_vector("length", l.length, D);
  row.add("volume", l.volume);
  row.add("solid_fraction", l.solid_fraction);
  row.add_tensor("stress", l.stress, D);
  row.add("pressure", l.pressure);
  row.add("deviator", l.deviator);
  return table;
}

template <int D>
Table loading_table(const Sample<D>& sample, const Sample<D>& before, const Choices&) {
  const Load<D> l = load(sample);
  Table table;
  RowWriter row(table);
  row.add("since", before.time);
  row.add_vector("strain", wall_strain(before, sample), D);
  const double volume = load(before).volume;
  row.add("volume_strain", volume > 0.0 && l.volume > 0.0 ? std::log(volume / l.volume) : NAN);
  if (sample.lattice.any()) {
    const auto shear = cell_shear(before, sample);
    row.add("shear_xy", shear[0]);
    if constexpr (D == 3) row.add("shear_xz", shear[1]), row.add("shear_yz", shear[2]);
  }
  row.add_tensor("stress", l.stress, D);
  row.add("pressure", l.pressure);
  row.add("deviator", l.deviator);
  row.add("solid_fraction", l.solid_fraction);
  return table;
}

template <int D>
Table balance_table(const Sample<D>& sample, const Sample<D>&, const Choices& choices) {
  const Balance b = balance(sample, choices.threshold);
  Table table;
  RowWriter row(table);
  row.add("loaded", b.loaded);
  row.add("unsupported", b.unsupported);
  row.add("force_residual", b.force_residual);
  row.add("mean_force_residual", b.mean_force_residual);
  row.add("moment_residual", b.moment_residual);
  row.add("monovalent", b.monovalent);
  row.add("kinetic_energy", b.kinetic_energy);
  row.add("greatest_energy", b.greatest_energy);
  return table;
}

}  // namespace

template <int D>
void add_loading_quantities(std::vector<Quantity<D>>& list) {
  list.push_back({"load", "size of the sample between its walls or of its cell, solid fraction, stress, pressure, deviator",
                  Needs::one, false, load_table<D>});
  list.push_back({"loading",
                  "strains of walls or cell since an earlier frame (compression positive), with the stress they go with",
                  Needs::two, false, loading_table<D>});
  list.push_back({"balance", "equilibrium of every grain: largest relative residuals of force and moment, monovalent grains",
                  Needs::one, false, balance_table<D>});
}

template void add_loading_quantities(std::vector<Quantity<2>>&);
template void add_loading_quantities(std::vector<Quantity<3>>&);

}  // namespace moreau::measure
