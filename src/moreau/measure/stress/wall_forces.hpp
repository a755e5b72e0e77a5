// What the sample does to the obstacles: one row per wall, then one for all fixed and one for all driven bodies, if there are
// any.
//
//   force = - sum f              on the wall (f is the force on the body)
//   normal = sum f.n             the thrust, a scalar sum: on a cylinder the vector sum of the normal parts would vanish
//   tangential = - sum f_T       vector; its part along the vertical is what the wall carries by friction if it is vertical
//   vertical = force along the last axis
#pragma once

#include <string>

#include "moreau/measure/packing/sample.hpp"

namespace moreau::measure {

template <int D>
struct WallForce {
  std::string name;
  std::size_t contacts = 0;
  Vec<D> force{};
  double normal = 0.0;
  Vec<D> tangential{};
  double vertical = 0.0;
};

template <int D>
std::vector<WallForce<D>> wall_forces(const Sample<D>& sample);

// Sum of m g over the free bodies.
template <int D>
Vec<D> weight(const Sample<D>& sample);

}  // namespace moreau::measure
