// A body as the solver keeps it, whatever its shape and whatever kinds of contact it has.
//
// Spins are stored multiplied by a length L of the body, so that they are velocities: the radius of a round body, which makes the
// contacts of round bodies need no length at all (round.hpp), and of any other body the power of two below its radius, which
// costs no rounding. Arms are stored divided by L, inverse inertia multiplied by its square: with these three changes all
// equations of rigid bodies stay as they are.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "moreau/bodies/bodies.hpp"
#include "moreau/geometry/pose.hpp"
#include "moreau/solver/velocity.hpp"

namespace moreau::inline solver {

template <int D, class Real = double>
struct alignas(8 * sizeof(Real)) SolverBody {  // in double precision one cache line
  Real velocity[velocity_dimension<D>];        // of the centre, then L times the spin
  Real inverse_mass;
  Real inverse_rolling;  // L^2 / I; zero for bodies in space that are not round: see Turning
};

// L^2 I^-1 of a body in space, in the laboratory frame at the midpoint: xx, yy, zz, xy, xz, yz. Not changed by sweeps.
template <class Real = double>
struct alignas(8 * sizeof(Real)) Turning {
  Real c[8];
};

// Of bodies that are not round.
MOREAU_BOTH inline double length_of_shape(double radius) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(radius) & exponent);
}
template <int D>
double length_scale(const Bodies<D>& bodies, std::size_t i) {
  const double radius = bodies.parameters.radius[i];
  return bodies.is_round(i) ? radius : length_of_shape(radius);
}

// I^-1 = R diag(1/I) R^T: xx, yy, zz, xy, xz, yz.
MOREAU_BOTH inline void turn_into_laboratory(const Vec<3>& principal, const Matrix<3>& rotation, double (&inverse)[6]) {
  const Vec<3>* row = rotation.row;
  const auto entry = [&](int p, int q) {
    return row[p][0] * row[q][0] / principal[0] + row[p][1] * row[q][1] / principal[1] + row[p][2] * row[q][2] / principal[2];
  };
  inverse[0] = entry(0, 0), inverse[1] = entry(1, 1), inverse[2] = entry(2, 2);
  inverse[3] = entry(0, 1), inverse[4] = entry(0, 2), inverse[5] = entry(1, 2);
}

// What an impulse meets in a body: 1/m, and I^-1 in the laboratory frame (in space xx, yy, zz, xy, xz, yz).
template <int D>
struct Mobility {
  static constexpr int moments = D == 3 ? 6 : 1;
  double inverse_mass = 0.0;
  double inverse_inertia[moments] = {};
};

// Of a free body. `poses` are those of all bodies at the midpoint, and may be empty where all are round.
template <int D>
Mobility<D> mobility_of(const Bodies<D>& bodies, std::size_t i, std::span<const Pose<D>> poses);

}  // namespace moreau::inline solver
