// Sums over contacts made by a measuring sweep.
#pragma once

#include "moreau/base/exact_sum.hpp"
#include "moreau/solver/units.hpp"

namespace moreau::inline solver {

struct Measured {
  double residual_squares = 0.0, residual_max = 0.0;  // of the law residual H (P - P*) [velocity]
  double impulse_squares = 0.0;                       // of H_N P_N
  double impulse_sum = 0.0;                           // of H_N P_N
  double correction_energy = 0.0;                     // of H_N |P - P*|^2, in sweeps with momentum
};

// The same while they are made, by any number of workers in any order, in the units of the sweep.
template <class Real>
struct MeasuredSums {
  ExactSum<Real> residual_squares, impulse_squares, impulses, energies;
  Real largest_square = 0;  // of the residuals

  MOREAU_INLINE MeasuredSums& operator+=(const MeasuredSums& o) {
    residual_squares += o.residual_squares, impulse_squares += o.impulse_squares, impulses += o.impulses, energies += o.energies;
    largest_square = maximum(o.largest_square, largest_square);
    return *this;
  }
  Measured in_units_of_the_problem(const Units& units) const {
    Measured m;
    m.residual_squares = residual_squares.value() * (units.velocity * units.velocity);
    m.residual_max = square_root(static_cast<double>(largest_square)) * units.velocity;
    m.impulse_squares = impulse_squares.value() * (units.velocity * units.velocity);
    m.impulse_sum = impulses.value() * units.velocity;
    m.correction_energy = energies.value() * (units.impulse() * units.velocity);
    return m;
  }
};

}  // namespace moreau::inline solver
