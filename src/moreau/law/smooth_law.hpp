// Coulomb's law in the form of Alart and Curnier, r = target(z) with z = r - rho u, exact and with its corners rounded off by e:
//
//   target_N = s(z_N),            s(x) = (x + sqrt(x^2 + 4 e^2)) / 2                                    positive part
//   target_T = (R / m) z_T,       R = mu target_N,  m = (|z_T| + R + sqrt((|z_T| - R)^2 + 4 e^2)) / 2   max(|z_T|, R)
//
// For e > 0 the target is a smooth function of z; it tends to the exact one as e -> 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "moreau/law/residual.hpp"

namespace moreau::inline law {

template <int D>
inline Vec<D> exact_target(const Vec<D>& z, double mu) {
  Vec<D> target = z;
  target[0] = std::max(z[0], 0.0);
  const double length = tangent_norm(z), radius = mu * target[0];
  if (length > radius)
    for (int i = 1; i < D; ++i) target[i] = radius / length * z[i];
  return target;
}

template <int D>
struct Smooth {
  Vec<D> z, target;
  double slope;                               // d target_N / d z_N, in (0, 1)
  double mu, length, factor;                  // |z_T|, R / m
  double factor_by_length, factor_by_radius;  // derivatives

  Smooth(const Vec<D>& at, double friction, double e) : z(at), mu(friction), length(tangent_norm(at)) {
    e = std::max(e, std::numeric_limits<double>::min());
    const double root = std::hypot(z[0], 2.0 * e);
    target[0] = z[0] > 0.0 ? 0.5 * (z[0] + root) : 2.0 * e * (e / (root - z[0]));  // no cancellation
    slope = z[0] > 0.0 ? 0.5 * (1.0 + z[0] / root) : target[0] / root;
    const double radius = mu * target[0], excess = length - radius, wide = std::hypot(excess, 2.0 * e);
    const double m = 0.5 * (length + radius + wide);
    factor = radius / m;
    factor_by_length = -0.5 * factor / m * (1.0 + excess / wide);
    factor_by_radius = 1.0 / m - 0.5 * factor / m * (1.0 - excess / wide);
    for (int i = 1; i < D; ++i) target[i] = factor * z[i];
  }

  // d/dr of (r - target) / rho as A + B W: A = (1 - Z) / rho, B = Z, where Z = d target / d z.
  void equations(double rho, double (&A)[D][D], double (&B)[D][D]) const {
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) B[i][j] = 0.0;
    B[0][0] = slope;
    for (int i = 1; i < D; ++i) {
      B[i][0] = factor_by_radius * mu * slope * z[i];
      for (int j = 1; j < D; ++j)
        B[i][j] = (i == j ? factor : 0.0) + (length > 0.0 ? factor_by_length * z[i] * (z[j] / length) : 0.0);
    }
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) A[i][j] = ((i == j ? 1.0 : 0.0) - B[i][j]) / rho;
  }
};

}  // namespace moreau::inline law
