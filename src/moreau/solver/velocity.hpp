// The velocity of one body as the solver keeps it: that of the centre, then the spin (for round bodies times the radius).
#pragma once

#include <cstddef>
#include <cstring>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline solver {

template <int D>
inline constexpr int velocity_dimension = D + spin_dimension<D>;

template <int D>
struct VelocityOf {
  double c[velocity_dimension<D>];
};

// Rows of a length known here: copied in registers, not by a call.
template <std::size_t n>
inline void copy_row(const double* from, double* to) {
  std::memcpy(to, from, n * sizeof(double));
}

}  // namespace moreau::inline solver
