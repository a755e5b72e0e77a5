// Where a rigid body is: the place of its centre and a rotation matrix, which takes vectors from the frame of the body to the
// frame of the laboratory.
#pragma once

#include "moreau/geometry/rotation.hpp"

namespace moreau::inline geometry {

template <int D>
struct Matrix {
  Vec<D> row[D];

  friend MOREAU_INLINE Vec<D> operator*(const Matrix& m, const Vec<D>& v) {
    Vec<D> r;
    for (int i = 0; i < D; ++i) r[i] = dot(m.row[i], v);
    return r;
  }
};

// Transpose times vector: for a rotation, from the laboratory back to the body.
template <int D>
MOREAU_INLINE Vec<D> transposed_times(const Matrix<D>& m, const Vec<D>& v) {
  Vec<D> r = v[0] * m.row[0];
  for (int i = 1; i < D; ++i) r += v[i] * m.row[i];
  return r;
}

MOREAU_BOTH inline Matrix<2> matrix_of(const Rotation<2>& r) {
  const auto [s, c] = sine_cosine(r.angle);
  return {{{{c, -s}}, {{s, c}}}};
}
MOREAU_BOTH inline Matrix<3> matrix_of(const Rotation<3>& r) {
  const Vec<3> x = rotate(r, {{1.0, 0.0, 0.0}}), y = rotate(r, {{0.0, 1.0, 0.0}}), z = rotate(r, {{0.0, 0.0, 1.0}});
  return {{{{x[0], y[0], z[0]}}, {{x[1], y[1], z[1]}}, {{x[2], y[2], z[2]}}}};
}

template <int D>
struct Pose {
  Vec<D> position;
  Matrix<D> rotation;

  MOREAU_INLINE Vec<D> place(const Vec<D>& in_body) const { return position + rotation * in_body; }
  MOREAU_INLINE Vec<D> turn(const Vec<D>& in_body) const { return rotation * in_body; }
};

}  // namespace moreau::inline geometry
