// Second-order tensors: stress, fabric, strain.
#pragma once

#include <Eigen/Dense>

#include "moreau/geometry/vec.hpp"

namespace moreau::measure {

template <int D>
using Tensor = Eigen::Matrix<double, D, D>;

template <int D>
inline Eigen::Matrix<double, D, 1> column(const Vec<D>& v) {
  return Eigen::Map<const Eigen::Matrix<double, D, 1>>(v.c);
}

template <int D>
inline Tensor<D> outer(const Vec<D>& a, const Vec<D>& b) {
  return column(a) * column(b).transpose();
}

// An axis has no sign; the last nonzero component is made positive, so that the same axis is always written the same way.
template <int D>
inline Vec<D> signed_axis(const Vec<D>& v) {
  for (int d = D - 1; d >= 0; --d)
    if (std::abs(v[d]) > 1e-12) return v[d] < 0.0 ? -v : v;
  return v;
}

// Eigenvalues of the symmetric part, the largest first, and the unit vector of the first.
template <int D>
struct Principal {
  Eigen::Matrix<double, D, 1> values;
  Vec<D> direction;
};

template <int D>
inline Principal<D> principal(const Tensor<D>& t) {
  const Eigen::SelfAdjointEigenSolver<Tensor<D>> solver(0.5 * (t + t.transpose()));
  Principal<D> p;
  p.values = solver.eigenvalues().reverse();
  for (int d = 0; d < D; ++d) p.direction[d] = solver.eigenvectors()(d, D - 1);
  p.direction = signed_axis(p.direction);
  return p;
}

}  // namespace moreau::measure
