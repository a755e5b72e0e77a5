#include "moreau/measure/stress/load.hpp"

#include <algorithm>

#include "moreau/measure/packing/solid_fraction.hpp"

namespace moreau::measure {

template <int D>
Load<D> load(const Sample<D>& sample) {
  Load<D> l;
  const Domain<D> domain = domain_of(sample);
  const Region<D> whole = domain.whole();
  for (int d = 0; d < D; ++d)
    l.length[d] = sample.lattice.periodic[d] ? sample.lattice.vectors.row[d][d]
                                             : std::max(0.0, domain.shape.high[d] - domain.shape.low[d]);  // no body, no length
  l.volume = whole.volume();
  l.solid_fraction = solid_fraction(sample, whole).fraction();
  l.stress = stress(sample, whole).contact;
  l.pressure = l.stress.trace() / D;
  l.deviator = l.stress(D - 1, D - 1) - (l.stress.trace() - l.stress(D - 1, D - 1)) / (D - 1);
  return l;
}

template <int D>
Vec<spin_dimension<D>> cell_shear(const Sample<D>& before, const Sample<D>& after) {
  Vec<spin_dimension<D>> shear{};
  if (!after.lattice.any()) return shear;
  const Matrix<D> gradient = after.lattice.vectors * inverse(before.lattice.vectors);
  for (int p = 0, k = 0; p < D; ++p)
    for (int q = p + 1; q < D; ++q) shear[k++] = gradient.row[p][q];
  return shear;
}

template Load<2> load(const Sample<2>&);
template Load<3> load(const Sample<3>&);
template Vec<1> cell_shear(const Sample<2>&, const Sample<2>&);
template Vec<3> cell_shear(const Sample<3>&, const Sample<3>&);

}  // namespace moreau::measure
