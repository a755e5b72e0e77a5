// Volume, first and second moments of bodies in space, about the origin.
#pragma once

#include "moreau/geometry/pose.hpp"
#include "moreau/geometry/shape.hpp"

namespace moreau::inline geometry {

struct Moments {
  double volume = 0.0;
  Vec<3> first{};      // integral of x
  Matrix<3> second{};  // integral of x x^T

  Moments& operator+=(const Moments& other) {
    volume += other.volume;
    first += other.first;
    for (int i = 0; i < 3; ++i) second.row[i] += other.second.row[i];
    return *this;
  }
};

// matrix += factor (a b^T + b a^T) / 2
inline void add_product(Matrix<3>& matrix, double factor, const Vec<3>& a, const Vec<3>& b) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) matrix.row[i][j] += 0.5 * factor * (a[i] * b[j] + b[i] * a[j]);
}

// The same body moved by `by`.
inline Moments moved(Moments m, const Vec<3>& by) {
  add_product(m.second, 2.0, m.first, by);
  add_product(m.second, m.volume, by, by);
  m.first += m.volume * by;
  return m;
}

// Exact for polyhedra, balls, capsules and rounded polyhedra.
Moments moments_of(const ConvexPart<3>& part);

// Of the union of parts that may overlap, each point once. Polyhedra without rounding: exact. Others: by quadrature, relative
// error about 1e-7.
Moments moments_of_union(const std::vector<ConvexPart<3>>& parts);

// The same by integration over lines: exact along x, adaptive in y and z.
Moments moments_by_quadrature(std::vector<ConvexPart<3>> parts);

}  // namespace moreau::inline geometry
