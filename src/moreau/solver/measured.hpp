// Sums over contacts made by a measuring sweep, combined in a fixed order.
#pragma once

#include <algorithm>

namespace moreau {

struct Measured {
  double residual_squares = 0.0, residual_max = 0.0;  // of the law residual H (P - P*) [velocity]
  double impulse_squares = 0.0;                       // of H_N P_N
  double impulse_sum = 0.0;                           // of H_N P_N
  double correction_energy = 0.0;                     // of H_N |P - P*|^2, in sweeps with momentum

  Measured& operator+=(const Measured& o) {
    residual_squares += o.residual_squares;
    residual_max = std::max(residual_max, o.residual_max);
    impulse_squares += o.impulse_squares;
    impulse_sum += o.impulse_sum;
    correction_energy += o.correction_energy;
    return *this;
  }
};

}  // namespace moreau
