// Periodic space: what happens at x happens at x + V k for all whole numbers k, where the columns of V are the vectors of the
// cell. Directions that are not periodic have k = 0.
//
// Bodies keep the coordinates they have reached, in whatever copy of the cell that is: a pair meets through an image of the
// second body, at its position + shift(image).
#pragma once

#include <cmath>
#include <cstdint>

#include "moreau/geometry/pose.hpp"

namespace moreau::inline geometry {

// The numbers k of an image as one: k_1 + 2^21 k_2 + 2^42 k_3, each in (-2^20, 2^20). Zero is the body itself, -image the way
// back.
using Image = std::int64_t;

template <int D>
struct Lattice {
  Matrix<D> vectors{};    // column d is the d-th vector of the cell
  bool periodic[D] = {};  // along the d-th vector; if not, that vector only completes the basis
  Vec<D> origin{};        // a corner of the cell, for those who draw or count inside it

  bool any() const {
    for (bool p : periodic)
      if (p) return true;
    return false;
  }
  bool all() const {
    for (bool p : periodic)
      if (!p) return false;
    return true;
  }
  MOREAU_INLINE Vec<D> shift(Image image) const;
  double volume() const;
  Vec<D> folded(const Vec<D>& x) const;  // the copy of x inside the cell
};

template <int D>
MOREAU_INLINE Image image_of(const std::int64_t (&k)[D]) {
  Image image = 0;
  for (int d = D - 1; d >= 0; --d) image = image * (std::int64_t{1} << 21) + k[d];
  return image;
}
template <int D>
MOREAU_INLINE void numbers_of(Image image, std::int64_t (&k)[D]) {
  constexpr std::int64_t base = std::int64_t{1} << 21, half = base / 2;
  for (int d = 0; d < D; ++d) {
    std::int64_t digit = image % base;
    if (digit >= half) digit -= base;
    if (digit < -half) digit += base;
    k[d] = digit;
    image = (image - digit) / base;
  }
}

inline double determinant(const Matrix<2>& m) { return m.row[0][0] * m.row[1][1] - m.row[0][1] * m.row[1][0]; }
inline double determinant(const Matrix<3>& m) { return dot(m.row[0], cross(m.row[1], m.row[2])); }

inline Matrix<2> inverse(const Matrix<2>& m) {
  const double s = 1.0 / determinant(m);
  return {{{{s * m.row[1][1], -s * m.row[0][1]}}, {{-s * m.row[1][0], s * m.row[0][0]}}}};
}
inline Matrix<3> inverse(const Matrix<3>& m) {
  const double s = 1.0 / determinant(m);
  const Vec<3> x = s * cross(m.row[1], m.row[2]), y = s * cross(m.row[2], m.row[0]), z = s * cross(m.row[0], m.row[1]);
  return {{{{x[0], y[0], z[0]}}, {{x[1], y[1], z[1]}}, {{x[2], y[2], z[2]}}}};
}

template <int D>
inline Matrix<D> operator*(const Matrix<D>& a, const Matrix<D>& b) {
  Matrix<D> m;
  for (int i = 0; i < D; ++i) m.row[i] = transposed_times(b, a.row[i]);
  return m;
}
template <int D>
inline Matrix<D> operator+(Matrix<D> a, const Matrix<D>& b) {
  for (int i = 0; i < D; ++i) a.row[i] += b.row[i];
  return a;
}
template <int D>
inline Matrix<D> operator*(double s, Matrix<D> a) {
  for (int i = 0; i < D; ++i) a.row[i] *= s;
  return a;
}
template <int D>
inline Matrix<D> identity() {
  Matrix<D> m{};
  for (int i = 0; i < D; ++i) m.row[i][i] = 1.0;
  return m;
}

template <int D>
MOREAU_INLINE Vec<D> Lattice<D>::shift(Image image) const {
  if (image == 0) return {};
  std::int64_t k[D];
  numbers_of<D>(image, k);
  Vec<D> number;
  for (int d = 0; d < D; ++d) number[d] = static_cast<double>(k[d]);
  return vectors * number;
}

template <int D>
inline double Lattice<D>::volume() const {
  return std::abs(determinant(vectors));
}

template <int D>
inline Vec<D> Lattice<D>::folded(const Vec<D>& x) const {
  Vec<D> number = inverse(vectors) * (x - origin);
  for (int d = 0; d < D; ++d) number[d] = periodic[d] ? -std::floor(number[d]) : 0.0;
  return x + vectors * number;
}

}  // namespace moreau::inline geometry
