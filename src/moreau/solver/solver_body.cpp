#include "moreau/solver/solver_body.hpp"

namespace moreau::inline solver {

template <int D>
Mobility<D> mobility_of(const Bodies<D>& bodies, std::size_t i, std::span<const Pose<D>> poses) {
  Mobility<D> m;
  m.inverse_mass = 1.0 / bodies.parameters.mass[i];
  if constexpr (D == 3)
    if (!bodies.is_round(i)) return turn_into_laboratory(bodies.principal_inertia(i), poses[i].rotation, m.inverse_inertia), m;
  for (int d = 0; d < spin_dimension<D>; ++d) m.inverse_inertia[d] = 1.0 / bodies.parameters.inertia[i];
  return m;
}

template Mobility<2> mobility_of(const Bodies<2>&, std::size_t, std::span<const Pose<2>>);
template Mobility<3> mobility_of(const Bodies<3>&, std::size_t, std::span<const Pose<3>>);

}  // namespace moreau::inline solver
