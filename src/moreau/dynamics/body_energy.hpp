// Energy of one body.
#pragma once

#include "moreau/base/exact_sum.hpp"
#include "moreau/bodies/bodies.hpp"
#include "moreau/geometry/pose.hpp"

namespace moreau::inline dynamics {

// Twice the energy of turning, spin . I spin.
inline double turning_square(const Bodies<2>& bodies, std::size_t i) {
  return bodies.parameters.inertia[i] * dot(bodies.state.spin[i], bodies.state.spin[i]);
}
inline double turning_square(const Bodies<3>& bodies, std::size_t i) {
  const Vec<3>& spin = bodies.state.spin[i];
  if (bodies.is_round(i)) return bodies.parameters.inertia[i] * dot(spin, spin);
  const Vec<3> own = transposed_times(matrix_of(bodies.state.orientation[i]), spin), inertia = bodies.principal_inertia(i);
  return inertia[0] * own[0] * own[0] + inertia[1] * own[1] * own[1] + inertia[2] * own[2] * own[2];
}

template <int D>
inline double kinetic_energy(const Bodies<D>& bodies, std::size_t i) {
  const Vec<D>& v = bodies.state.velocity[i];
  return 0.5 * (bodies.parameters.mass[i] * dot(v, v) + turning_square(bodies, i));
}

template <int D>
inline double potential_energy(const Bodies<D>& bodies, std::size_t i, const Vec<D>& gravity) {
  return -bodies.parameters.mass[i] * dot(gravity, bodies.state.position[i]);
}

// Of all free bodies.
template <int D>
inline double potential_energy(const Bodies<D>& bodies, const Vec<D>& gravity) {
  TermSum<3> sum;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i)) sum.add(potential_energy(bodies, i, gravity));
  return sum.sum().value();
}

}  // namespace moreau::inline dynamics
