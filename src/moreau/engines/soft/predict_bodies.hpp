// The predictor: bodies that move freely at the end of the step, in one pass through memory, with what their contacts will read
// of them.
#pragma once

#include <cstddef>

#include "moreau/engines/soft/body_line.hpp"
#include "moreau/engines/soft/push_line.hpp"
#include "moreau/geometry/rotation.hpp"

namespace moreau::soft {

// Arrays by body. Bodies whose inverse mass is 0 do not turn.
template <int D>
struct Prediction {
  const double *radius, *inverse_mass;
  Vec<D>*position, *remainder, *velocity, *acceleration;
  const Vec<D>* jerk;  // null: none
  Spin<D>*spin, *spin_acceleration;
  const Spin<D>* spin_jerk;
  Rotation<D>* orientation;
  BodyLine<D>* line;  // null: not written
  PushLine<D>* lag;   // h/2 times the accelerations at the beginning of the step, of centre and rim; null: not written
  double step;
};

// Bodies [begin, end). Returns the square of the farthest way of a centre.
double predict_bodies(const Prediction<2>& in, std::size_t begin, std::size_t end);
double predict_bodies(const Prediction<3>& in, std::size_t begin, std::size_t end);

}  // namespace moreau::soft
