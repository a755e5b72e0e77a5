// The film of a viscous fluid between two round bodies that approach one another (Combe 2001, eq. 1.14):
//
//   f = - B dh/dt / h^beta        beta = 1 between spheres, 3/2 between parallel cylinders; no traction, f >= 0
//
// Over a time t under a constant force, with x = f t h0^(beta - 1) / B,
//
//   cylinders   h = h0 / (1 + x/2)^2 = h0 / (1 + x + x^2/4)      exactly
//   spheres     h = h0 exp(-x)      here   h0 / (1 + x + x^2/2)   of order 2, and as thin as a power of x instead of zero
//
// so that a film never closes, however long the step. The force is that of the end of the step: implicit in the thickness.
#pragma once

#include <cmath>
#include <numbers>

#include "moreau/dynamics/model.hpp"

namespace moreau::lubricated {

struct Film {
  double thickness = 0.0;   // h0 > 0 [length]
  double resistance = 0.0;  // B
  double exponent = 1.0;    // beta

  // x of a unit force over a time.
  double rate(double time) const { return time * (exponent == 1.0 ? 1.0 : std::sqrt(thickness)) / resistance; }
  double curvature() const { return exponent == 1.0 ? 0.5 : 0.25; }
  double thinning(double x) const { return 1.0 + x + curvature() * x * x; }  // h0 / h
  double thinning_slope(double x) const { return 1.0 + 2.0 * curvature() * x; }
  // The x with which it becomes h <= h0.
  double thinned_to(double h) const {
    const double c = curvature(), beyond = std::max(0.0, thickness / h - 1.0);
    return 2.0 * beyond / (1.0 + std::sqrt(1.0 + 4.0 * c * beyond));
  }
};

// `reduced`: 1 / (1/R_a + 1/R_b), at a wall R_a.
inline Film film_of(const LubricatedSettings& settings, double reduced, double thickness) {
  if (settings.law == FilmLaw::spheres) return {thickness, 6.0 * std::numbers::pi * settings.viscosity * reduced * reduced, 1.0};
  return {thickness, 3.0 * std::numbers::sqrt2 * std::numbers::pi * settings.viscosity * reduced * std::sqrt(reduced), 1.5};
}

}  // namespace moreau::lubricated
