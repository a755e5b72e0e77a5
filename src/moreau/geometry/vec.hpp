// Vectors of dimension 1, 2, 3 over any number type (double, or a pack of SIMD lanes in the solver's kernel).
#pragma once

#include <cmath>
#include <cstddef>

#include "moreau/base/inline.hpp"

namespace moreau::inline geometry {

template <int D, class Real = double>
struct Vec {
  Real c[D];

  MOREAU_INLINE Real& operator[](int i) { return c[i]; }
  MOREAU_INLINE const Real& operator[](int i) const { return c[i]; }

  MOREAU_INLINE Vec& operator+=(const Vec& o) {
    for (int i = 0; i < D; ++i) c[i] += o.c[i];
    return *this;
  }
  MOREAU_INLINE Vec& operator-=(const Vec& o) {
    for (int i = 0; i < D; ++i) c[i] -= o.c[i];
    return *this;
  }
  MOREAU_INLINE Vec& operator*=(const Real& s) {
    for (int i = 0; i < D; ++i) c[i] *= s;
    return *this;
  }
  friend MOREAU_INLINE Vec operator+(Vec a, const Vec& b) { return a += b; }
  friend MOREAU_INLINE Vec operator-(Vec a, const Vec& b) { return a -= b; }
  friend MOREAU_INLINE Vec operator*(const Real& s, Vec a) { return a *= s; }
  friend MOREAU_INLINE Vec operator*(Vec a, const Real& s) { return a *= s; }
  friend MOREAU_INLINE Vec operator-(Vec a) {
    for (int i = 0; i < D; ++i) a.c[i] = -a.c[i];
    return a;
  }
  friend MOREAU_BOTH bool operator==(const Vec& a, const Vec& b) {
    for (int i = 0; i < D; ++i)
      if (!(a.c[i] == b.c[i])) return false;
    return true;
  }
};

template <int D, class Real>
MOREAU_INLINE Real dot(const Vec<D, Real>& a, const Vec<D, Real>& b) {
  Real s = a.c[0] * b.c[0];
  for (int i = 1; i < D; ++i) s += a.c[i] * b.c[i];
  return s;
}

template <int D>
MOREAU_BOTH inline double norm(const Vec<D>& a) {
  return std::sqrt(dot(a, a));
}

template <int D>
MOREAU_BOTH inline Vec<D> normalized(const Vec<D>& a) {
  return (1.0 / norm(a)) * a;
}

// Number of spin components: one in the plane, three in space.
template <int D>
inline constexpr int spin_dimension = D == 2 ? 1 : 3;

template <int D, class Real = double>
using Spin = Vec<spin_dimension<D>, Real>;

// spin x arm: the velocity at `arm` from the centre of a body turning with `spin`.
template <class Real>
MOREAU_INLINE Vec<2, Real> cross(const Vec<1, Real>& spin, const Vec<2, Real>& arm) {
  return {{-spin[0] * arm[1], spin[0] * arm[0]}};
}
template <class Real>
MOREAU_INLINE Vec<3, Real> cross(const Vec<3, Real>& a, const Vec<3, Real>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

// arm x force: the moment about the centre, in the shape of a spin.
template <class Real>
MOREAU_INLINE Vec<1, Real> moment(const Vec<2, Real>& arm, const Vec<2, Real>& force) {
  return {{arm[0] * force[1] - arm[1] * force[0]}};
}
template <class Real>
MOREAU_INLINE Vec<3, Real> moment(const Vec<3, Real>& arm, const Vec<3, Real>& force) {
  return cross(arm, force);
}

template <int D>
MOREAU_BOTH inline bool is_finite(const Vec<D>& a) {
  for (int i = 0; i < D; ++i)
    if (!std::isfinite(a[i])) return false;
  return true;
}

}  // namespace moreau::inline geometry
