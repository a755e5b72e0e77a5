// Force per unit area across conical and cylindrical strips about a vertical axis (Moreau 2003, sec. 9; 2004, sec. 10).
//
//   z |    / (r2,z2)        a segment in the half-plane through the axis; turned about the axis it is a strip of a cone (of a
//   cylinder
//     |   /  -> nu          if r1 = r2), whose full extension separates the bodies in two sides
//     |  / (r1,z1)
//     +---------- r         nu: unit normal on the right of the way from 1 to 2
//
// T is the sum of the forces that bodies on the side of nu exert on bodies of the other side, over contacts whose point projects
// inside the strip, divided by its area pi (r1 + r2) L. It is T = Sigma nu with the usual sign (pressure pulls T against nu).
// Sigma symmetric means reciprocity: nu.T' = nu'.T for two strips through the same point. In the plane the strip is the segment
// itself, r is x - centre with its sign, and the area is its length.
#pragma once

#include <array>

#include "moreau/measure/packing/sample.hpp"

namespace moreau::measure {

struct Strip {
  double r1 = 0.0, z1 = 0.0, r2 = 0.0, z2 = 0.0;
  double length() const { return std::hypot(r2 - r1, z2 - z1); }
  std::array<double, 2> normal() const { return {(z2 - z1) / length(), (r1 - r2) / length()}; }
  std::array<double, 2> middle() const { return {0.5 * (r1 + r2), 0.5 * (z1 + z2)}; }
};

struct StripForce {
  std::size_t contacts = 0;
  double area = 0.0;
  double radial = 0.0, vertical = 0.0;  // T, away from the axis and upwards
  double orthoradial = 0.0;             // left out by the theory; about 0 by symmetry. 0 in the plane
};

template <int D>
StripForce force_across(const Sample<D>& sample, const Strip& strip, const Vec<D>& centre);

// |nu.T' - nu'.T| / sqrt(|T| |T'|): 0 when reciprocity holds. Not a number when a force is zero.
double reciprocity_residual(const Strip& first, const StripForce& on_first, const Strip& second, const StripForce& on_second);

}  // namespace moreau::measure
