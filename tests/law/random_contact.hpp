// Random one-contact problems and the measure of their solution that the tests of this folder share.
#pragma once

#include <cmath>

#include "moreau/base/random.hpp"
#include "moreau/law/delassus_block.hpp"
#include "moreau/law/residual.hpp"

namespace moreau {

template <int D>
struct OneContact {
  Vec<D> v;
  DelassusBlock<D> H;
  double friction;

  double compliance() const {
    double trace = 0.0;
    for (int i = 0; i < D; ++i) trace += H.c[i][i];
    return trace;
  }
  // The Painleve range: pressing harder while sliding can lift the contact.
  bool painleve() const {
    Vec<D> row{};
    for (int i = 0; i < D; ++i) row[i] = H.c[0][i];
    return friction * tangent_norm(row) >= H.c[0][0];
  }
  // Law residual relative to the largest velocity in play; the law's own conditioning is 1 + mu.
  double relative_error(const Vec<D>& p) const {
    const double scale = (norm(v) + compliance() * norm(p)) * (1.0 + friction);
    return scale > 0.0 ? natural_residual(v + H * p, p, friction, compliance()) / scale : 0.0;
  }
  // Error allowed on P when v and H carry a relative error: |P| grows like the inverse of the smallest eigenvalue of H in play.
  double conditioned(const Vec<D>& p, double relative) const {
    return relative * norm(p) * (1.0 + compliance() * norm(p) / norm(v));
  }
};

// H = B B^T with B of D rows and `columns` columns, uniform entries; few columns give strong coupling and near singularity.
template <int D>
inline OneContact<D> random_contact(RandomStream& random, int columns = D) {
  OneContact<D> contact{};
  double b[D][8];
  for (int i = 0; i < D; ++i)
    for (int k = 0; k < columns; ++k) b[i][k] = random.uniform(-1, 1);
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j)
      for (int k = 0; k < columns; ++k) contact.H.c[i][j] += b[i][k] * b[j][k];
  for (int i = 0; i < D; ++i) contact.v[i] = random.uniform(-1, 1);
  contact.friction = std::pow(10.0, random.uniform(-3, 1.5));
  return contact;
}

}  // namespace moreau
