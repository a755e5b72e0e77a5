// Pressure on the ground by rings of equal width about a vertical axis (Moreau 2003, fig. 6): vertical forces of the contacts
// that project into the ring, divided by its area pi (r2^2 - r1^2) (2-D: 2 (r2 - r1), both sides).
//
// The ground is every body that is not free, and every plane wall whose normal is within 60 degrees of the vertical.
#pragma once

#include <cmath>

#include "moreau/measure/packing/sample.hpp"

namespace moreau::measure {

struct PressureRing {
  double from = 0.0, to = 0.0, area = 0.0;
  std::size_t contacts = 0;
  double force = 0.0;  // downwards on the ground
  double pressure() const { return force / area; }
};

// Rings from the axis out to the last contact.
template <int D>
std::vector<PressureRing> ground_pressure(const Sample<D>& sample, const Vec<D>& centre, double width);

// Who carries the weight: ground + others + (momentum still changing) = weight.
struct WeightBalance {
  double weight = 0.0;  // sum of m |g_z| over the free bodies
  double ground = 0.0, other_walls = 0.0;
  double carried() const { return weight != 0.0 ? (ground + other_walls) / weight : std::nan(""); }  // nothing to carry: none
};
template <int D>
WeightBalance weight_balance(const Sample<D>& sample);

}  // namespace moreau::measure
