#include "moreau/solver/solver_body.hpp"

namespace moreau::inline solver {

namespace {
// I^-1 = R diag(1/I) R^T.
void turn_into_laboratory(const Vec<3>& principal, const Matrix<3>& rotation, double (&inverse)[6]) {
  const Vec<3>* row = rotation.row;
  const auto entry = [&](int p, int q) {
    return row[p][0] * row[q][0] / principal[0] + row[p][1] * row[q][1] / principal[1] + row[p][2] * row[q][2] / principal[2];
  };
  inverse[0] = entry(0, 0), inverse[1] = entry(1, 1), inverse[2] = entry(2, 2);
  inverse[3] = entry(0, 1), inverse[4] = entry(0, 2), inverse[5] = entry(1, 2);
}
}  // namespace

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
