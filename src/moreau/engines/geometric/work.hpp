// The work of a load, frozen as it is in the first state, on the way to the second: by so much the potential energy falls.
#pragma once

#include "moreau/statics/load.hpp"

namespace moreau::geometric {

template <int D>
double work_between(const Model<D>& model, const statics::Freedoms<D>& freedoms, const statics::Load<D>& load,
                    const State<D>& from, const State<D>& to) {
  const Eigen::VectorXd F = force_of(model, from, freedoms, load);
  double work = 0.0;
  for (const std::size_t i : freedoms.body) {
    const Vec<D> u = to.bodies.state.position[i] - from.bodies.state.position[i];
    for (int d = 0; d < D; ++d)
      if (const int column = freedoms.column(i, d); column >= 0) work += F[column] * u[d];
  }
  for (std::size_t k = 0; k < freedoms.piston.size(); ++k)
    work += F[freedoms.column_of_piston(static_cast<int>(k))] *
            (to.pistons[freedoms.piston[k]].displacement - from.pistons[freedoms.piston[k]].displacement);
  if (freedoms.gradient.empty()) return work;
  const Matrix<D> strain = (to.cell.vectors + -1.0 * from.cell.vectors) * inverse(from.cell.vectors);
  for (std::size_t k = 0; k < freedoms.gradient.size(); ++k)
    work +=
        F[freedoms.column_of_gradient(static_cast<int>(k))] * strain.row[freedoms.gradient[k].first][freedoms.gradient[k].second];
  return work;
}

}  // namespace moreau::geometric
