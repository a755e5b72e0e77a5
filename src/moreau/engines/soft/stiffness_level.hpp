// The level of stiffness kappa: how much stiffer contacts are than the pressure on them (Combe 2001, eq. 1.13; 5.7; annex A).
#pragma once

#include <cmath>
#include <numbers>

namespace moreau::soft {

// k_n of kappa = k_n / p in the plane, kappa = k_n / (p d) in space, d a diameter.
template <int D>
double stiffness_at_level(double kappa, double pressure, double diameter) {
  return D == 2 ? kappa * pressure : kappa * pressure * diameter;
}

// Of elastic spheres under pressure: the stiffness of Hertz's contact under the mean force (annex A, eq. A.12). Young's modulus
// E, Poisson's ratio, solid fraction, contacts per sphere.
inline double stiffness_level_of_spheres(double young, double poisson, double pressure, double solid_fraction,
                                         double coordination) {
  const double plane = 1.0 - poisson * poisson, ratio = young / pressure;
  return std::cbrt(3.0 * std::numbers::pi / (8.0 * plane * plane * solid_fraction * coordination) * ratio * ratio);
}

}  // namespace moreau::soft
