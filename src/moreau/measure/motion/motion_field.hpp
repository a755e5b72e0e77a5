// Velocities, and displacements between two instants, against the mean strain.
//
//   u_i = u_0 + H (x_i - x_mean) + w_i          H by least squares over the bodies looked at; w is the fluctuation (Combe 2001,
//                                               eqs. 3.45 and 4.1)
//   strain = - sym H                            compression positive
#pragma once

#include "moreau/measure/region.hpp"
#include "moreau/measure/stress/tensor.hpp"

namespace moreau::measure {

template <int D>
struct MotionField {
  std::vector<std::size_t> body;  // free, present at both instants
  std::vector<Vec<D>> place;      // where they were first
  std::vector<Vec<D>> motion;     // displacement, or velocity
};

template <int D>
MotionField<D> velocities(const Sample<D>& sample, const Region<D>& region);
template <int D>
MotionField<D> displacements(const Sample<D>& before, const Sample<D>& after, const Region<D>& region);

template <int D>
struct MeanMotion {
  std::size_t bodies = 0;
  Vec<D> mean{};                           // u_0
  Tensor<D> gradient = Tensor<D>::Zero();  // H
  std::vector<Vec<D>> fluctuation;         // w, one per body of the field
  double fluctuation_rms = 0.0;
  Tensor<D> strain() const { return -0.5 * (gradient + gradient.transpose()); }
  double rotation() const;  // of the mean motion, counter-clockwise about the last axis [rad, or rad per unit time]
};

// The gradient is 0 where the places do not span the space (fewer than D + 1 bodies, or all on a line).
template <int D>
MeanMotion<D> mean_motion(const MotionField<D>& field);

// Averages over cells of a grid: what a map of the motion shows.
template <int D>
struct CellAverages {
  std::vector<Vec<D>> centre, mean;
  std::vector<std::size_t> bodies;
};
template <int D>
CellAverages<D> average_in_cells(const MotionField<D>& field, const Extent<D>& shape, double cell);

// Logarithmic strain from walls or cell, compression positive: - ln(L_after / L_before) along each axis that has two walls or is
// periodic; not a number
// along the others.
template <int D>
Vec<D> wall_strain(const Sample<D>& before, const Sample<D>& after);

// The instant nearest to `wanted`, if it is within `tolerance`: for displacements over one period of a drive (stroboscopic), the
// frame one period earlier.
std::optional<std::size_t> nearest_instant(const std::vector<double>& times, double wanted, double tolerance);

}  // namespace moreau::measure
