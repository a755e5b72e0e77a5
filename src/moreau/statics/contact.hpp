// A place where two bodies, or a body and a wall, touch or nearly do: what statics needs to know of it.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "moreau/contact/contact_table.hpp"
#include "moreau/geometry/tangent.hpp"

namespace moreau::statics {

// Who meets: a free body, and a body or the wall ~b; between two free bodies a < b. The order is that of the contact table.
struct Pair {
  std::int32_t a = -1, b = -1;
  Image image = 0;            // of b
  std::uint64_t feature = 0;  // which of several contacts of the pair; 0 between round bodies
  auto operator<=>(const Pair&) const = default;
};

template <int D>
struct Contact {
  Pair pair;
  double gap = 0.0;     // negative on overlap
  Vec<D> normal{};      // unit, towards a
  Vec<D> branch{};      // from the centre of the image of b to that of a; walls: zero
  Vec<D> arm_a, arm_b;  // from the centres to where they touch; arm_b of a wall is not used
};

// Unit vectors along which a contact pushes: the normal, then one tangent in the plane, two in space.
inline std::array<Vec<2>, 2> axes_of(const Vec<2>& normal) { return {normal, Vec<2>{{-normal[1], normal[0]}}}; }
inline std::array<Vec<3>, 3> axes_of(const Vec<3>& normal) {
  const Vec<3> tangent = any_tangent(normal);
  return {normal, tangent, cross(normal, tangent)};
}

}  // namespace moreau::statics
