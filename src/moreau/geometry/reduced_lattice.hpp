// A basis of the same lattice with vectors as short and as square as pairwise subtraction can make them: a cell that was sheared
// far would need many copies in a search, and would be a long strip in a picture.
#pragma once

#include "moreau/geometry/lattice.hpp"

namespace moreau::inline geometry {

// Column d of a matrix.
template <int D>
inline Vec<D> column(const Matrix<D>& m, int d) {
  Vec<D> v;
  for (int i = 0; i < D; ++i) v[i] = m.row[i][d];
  return v;
}

// reduced = vectors * z, z whole numbers of determinant 1.
template <int D>
inline Matrix<D> reduced(const Lattice<D>& lattice, std::int64_t (&z)[D][D]) {
  Vec<D> r[D];
  for (int i = 0; i < D; ++i) {
    r[i] = column(lattice.vectors, i);
    for (int j = 0; j < D; ++j) z[i][j] = i == j;
  }
  bool changed = true;
  for (int round = 0; changed && round < 1000; ++round) {
    changed = false;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        if (i == j || !lattice.periodic[i] || !lattice.periodic[j]) continue;
        const double times = dot(r[i], r[j]) / dot(r[j], r[j]);
        if (!(std::abs(times) > 0.5 + 1e-9 && std::abs(times) < 1e15)) continue;  // not a half: that would go back and forth
        const double whole = std::round(times);
        r[i] -= whole * r[j];
        for (int k = 0; k < D; ++k) z[k][i] -= static_cast<std::int64_t>(whole) * z[k][j];
        changed = true;
      }
  }
  Matrix<D> m;
  for (int i = 0; i < D; ++i)
    for (int d = 0; d < D; ++d) m.row[i][d] = r[d][i];
  return m;
}

// The same lattice, with the cell that is nearest to a cube.
template <int D>
inline Lattice<D> compact(Lattice<D> lattice) {
  std::int64_t z[D][D];
  lattice.vectors = reduced(lattice, z);
  return lattice;
}

}  // namespace moreau::inline geometry
