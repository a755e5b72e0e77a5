// The corrector for bodies that move freely: accelerations from the impulses of the contacts, and with them the end of the step.
#pragma once

#include "moreau/engines/soft/push_line.hpp"
#include "moreau/engines/soft/scheme.hpp"
#include "moreau/geometry/pose.hpp"

namespace moreau::soft {

// Over bodies.
struct MotionSums {
  double resultant = 0.0, mass = 0.0, speeds = 0.0, fastest = 0.0;  // fastest: square of the speed
  double kinetic = 0.0, potential = 0.0, dissipated_power = 0.0, wall_power = 0.0;
};

template <int D>
struct Correction {
  const double *mass, *inertia, *inverse_mass, *lever;           // 1/m (0: does not move freely), r/I
  PushLine<D>* push;                                             // taken: zero afterwards
  Vec<D>*position, *remainder, *velocity, *acceleration, *jerk;  // jerk null: none
  Spin<D>*spin, *spin_acceleration, *spin_jerk;
  Vec<D> gravity, centre;
  Matrix<D> gradient_rate;
  bool affine;                               // the gradient of the cell has a rate
  double rate, drag;                         // 1/h
  double to_position, to_velocity, to_jerk;  // shares of the error of the acceleration
};

// Bodies [begin, end).
void correct_bodies(const Correction<2>& c, std::size_t begin, std::size_t end, MotionSums& sums);
void correct_bodies(const Correction<3>& c, std::size_t begin, std::size_t end, MotionSums& sums);

}  // namespace moreau::soft
