// A body as the force of a contact needs it, in one cache line in the plane and two in space.
#pragma once

#include "moreau/base/lanes.hpp"
#include "moreau/bodies/bodies.hpp"

namespace moreau::soft {

// Place in the line. What tells whether two bodies touch, centre and radius, is among the first four numbers.
template <int D>
struct LineLayout;
template <>
struct LineLayout<2> {
  static constexpr int size = 8, position = 0, radius = 2, rim = 3, velocity = 4, remainder = 6;
  static constexpr bool holds_mass = false;
};
template <>
struct LineLayout<3> {
  static constexpr int size = 16, position = 0, radius = 3, remainder = 4, inverse_mass = 7, velocity = 8, rim = 11,
                       inverse_radius = 14;
  static constexpr bool holds_mass = true;
};

template <int D>
struct alignas(64) BodyLine {
  double c[LineLayout<D>::size];

  // What does not change while bodies move.
  void describe(double radius, double inverse_mass) {
    c[LineLayout<D>::radius] = radius;
    if constexpr (LineLayout<D>::holds_mass)
      c[LineLayout<D>::inverse_mass] = inverse_mass, c[LineLayout<D>::inverse_radius] = 1.0 / radius;
    else
      (void)inverse_mass;
  }
  void move(const Vec<D>& position, const Vec<D>& remainder, const Vec<D>& velocity, const Spin<D>& spin) {
    for (int d = 0; d < D; ++d) {
      c[LineLayout<D>::position + d] = position[d], c[LineLayout<D>::remainder + d] = remainder[d];
      c[LineLayout<D>::velocity + d] = velocity[d];
    }
    for (int d = 0; d < spin_dimension<D>; ++d) c[LineLayout<D>::rim + d] = c[LineLayout<D>::radius] * spin[d];
  }
  Vec<D> vector(int at) const {
    Vec<D> v;
    for (int d = 0; d < D; ++d) v[d] = c[at + d];
    return v;
  }
  Spin<D> rim_speed() const {  // spin times radius
    Spin<D> v;
    for (int d = 0; d < spin_dimension<D>; ++d) v[d] = c[LineLayout<D>::rim + d];
    return v;
  }
};

// What lines in the plane have no room for.
struct BodyTraits {
  double inverse_mass, inverse_radius;  // 0: does not move freely
};

}  // namespace moreau::soft
