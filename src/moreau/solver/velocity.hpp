// The velocity of one body as the solver keeps it: that of the centre, then the spin (for round bodies times the radius).
#pragma once

#include "moreau/geometry/vec.hpp"

namespace moreau::inline solver {

template <int D>
inline constexpr int velocity_dimension = D + spin_dimension<D>;

template <int D>
struct VelocityOf {
  double c[velocity_dimension<D>];
};

}  // namespace moreau::inline solver
