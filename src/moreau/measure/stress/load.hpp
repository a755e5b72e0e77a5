// What an experimenter reads off the apparatus: the size of the sample between its walls or of its cell, and its stress.
#pragma once

#include "moreau/measure/stress/stress.hpp"

namespace moreau::measure {

template <int D>
struct Load {
  Vec<D> length{};  // between the walls across each axis (or the grains, where there is no wall); of the cell: its diagonal
  double volume = 0.0;
  double solid_fraction = 0.0;
  Tensor<D> stress = Tensor<D>::Zero();  // Love, over the whole sample
  double pressure = 0.0;                 // trace / D
  double deviator = 0.0;                 // last axis minus the mean of the others: q of biaxial and triaxial tests
};

template <int D>
Load<D> load(const Sample<D>& sample);

// Shear F_xy (3-D: F_xy, F_xz, F_yz) of the cell between two instants, F its deformation gradient; zero without a cell.
template <int D>
Vec<spin_dimension<D>> cell_shear(const Sample<D>& before, const Sample<D>& after);

}  // namespace moreau::measure
