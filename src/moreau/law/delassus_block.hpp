// The Delassus operator H of one contact in its local frame: relative velocity brought by a unit impulse [1/mass].
// Symmetric positive definite D x D, normal component first: H = G A^-1 G^T (Moreau 2003, eq. 42).
#pragma once

#include "moreau/geometry/vec.hpp"

namespace moreau::inline law {

template <int D>
struct DelassusBlock {
  double c[D][D];

  double normal() const { return c[0][0]; }

  friend Vec<D> operator*(const DelassusBlock& H, const Vec<D>& impulse) {
    Vec<D> velocity{};
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) velocity[i] += H.c[i][j] * impulse[j];
    return velocity;
  }
};

}  // namespace moreau::inline law
