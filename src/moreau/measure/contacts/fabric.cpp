#include "moreau/measure/contacts/fabric.hpp"

namespace moreau::measure {

template <int D>
Fabric<D> fabric(const Sample<D>& sample, const std::vector<std::size_t>& contacts) {
  Fabric<D> f;
  f.contacts = contacts.size();
  for (const std::size_t c : contacts) f.tensor += outer(sample.contacts->normal[c], sample.contacts->normal[c]);
  if (contacts.empty()) return f;
  f.tensor /= static_cast<double>(contacts.size());
  const Eigen::SelfAdjointEigenSolver<Tensor<D>> solver(f.tensor);
  const auto values = solver.eigenvalues();  // increasing
  int apart = D - 1;
  if constexpr (D == 2) {
    f.anisotropy = 2.0 * (values[1] - values[0]);
  } else {
    if (values[1] - values[0] > values[2] - values[1]) apart = 0;
    f.anisotropy = 2.5 * (3.0 * values[apart] - 1.0);
  }
  for (int d = 0; d < D; ++d) f.direction[d] = solver.eigenvectors()(d, apart);
  f.direction = signed_axis(f.direction);
  return f;
}

template Fabric<2> fabric(const Sample<2>&, const std::vector<std::size_t>&);
template Fabric<3> fabric(const Sample<3>&, const std::vector<std::size_t>&);

}  // namespace moreau::measure
