// The predictor for bodies that move freely, number by number: positions, velocities and accelerations are plain arrays of
// numbers.
#pragma once

#include <cstddef>

#include "moreau/geometry/rotation.hpp"

namespace moreau::soft {

// Numbers [begin, end). `jerk` null: none.
struct Flight {
  double *position, *remainder, *velocity, *acceleration;
  const double* jerk;
};
void predict_places(const Flight& flight, std::size_t begin, std::size_t end, double h);

// Same for spins, which have no place of their own; `turning` receives the mean spin of the step.
struct Turning {
  double *spin, *acceleration;
  const double* jerk;
  double* turning;
};
void predict_spins(const Turning& turning, std::size_t begin, std::size_t end, double h);

}  // namespace moreau::soft
