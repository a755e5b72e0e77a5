// The separating axes of two convex polygons: the normals of their sides. Part of the contact search in polygon_contact.hpp.
#pragma once

#include <cmath>

#include "moreau/geometry/pose.hpp"
#include "moreau/geometry/shape.hpp"

namespace moreau::inline geometry {

struct PlacedPolygon {
  const Vec<2>* vertices;  // in the frame of the body
  int count;
  double radius;
  Matrix<2> rotation;
  Vec<2> offset;  // from the centre of the first body

  template <class Part>  // ConvexPart<2> or PartView<2>
  MOREAU_BOTH PlacedPolygon(const Part& part, const Matrix<2>& turn, const Vec<2>& shift)
      : vertices(part.vertices.data()),
        count(static_cast<int>(part.vertices.size())),
        radius(part.radius),
        rotation(turn),
        offset(shift) {}

  MOREAU_BOTH int after(int i) const { return i + 1 == count ? 0 : i + 1; }
  MOREAU_BOTH int before(int i) const { return i == 0 ? count - 1 : i - 1; }
  MOREAU_BOTH Vec<2> corner(int i) const { return offset + rotation * vertices[i]; }
};

// The side edge -> edge + 1 of one core, and the corner of the other that is foremost against its normal.
struct PolygonAxis {
  double separation = -HUGE_VAL;
  Vec<2> normal{};  // of the side, outwards: towards the other core
  int edge = -1, facing = -1;
  bool of_first = true;  // the side belongs to the first part
};

// The corner foremost in a direction given in the frame of the body.
MOREAU_BOTH inline int foremost_corner(const PlacedPolygon& polygon, const Vec<2>& direction) {
  int foremost = 0;
  double most = dot(direction, polygon.vertices[0]);
  for (int k = 1; k < polygon.count; ++k)
    if (const double d = dot(direction, polygon.vertices[k]); d > most) most = d, foremost = k;
  return foremost;
}

// Calls `look` for the sides of `owner` (a segment has two, back to back; a point none), until it returns false; then returns
// false. Begins at the sides that look `towards` the other, and passes over those whose separation is surely below `least`, which
// `look` may raise: any corner of the other bounds it from above, and the one last faced mostly tells. Cost: linear, since the
// faced corner moves round the other polygon the way the side moves round the owner.
template <class Look>
MOREAU_BOTH bool for_each_side(const PlacedPolygon& owner, const PlacedPolygon& other, bool of_first, const Vec<2>& towards,
                   const double& least, Look look) {
  if (owner.count < 2) return true;
  const Vec<2> apart = transposed_times(owner.rotation, other.offset - owner.offset);
  // The x axis of the owner in the frame of the other.
  const Vec<2> x = transposed_times(other.rotation, {{owner.rotation.row[0][0], owner.rotation.row[1][0]}});
  int facing = foremost_corner(other, -transposed_times(other.rotation, towards));
  int i = owner.before(foremost_corner(owner, transposed_times(owner.rotation, towards)));
  for (int k = 0; k < owner.count; ++k, i = owner.after(i)) {
    const Vec<2>& p = owner.vertices[i];
    const Vec<2> along = owner.vertices[owner.after(i)] - p;
    const Vec<2> outwards{{along[1], -along[0]}};  // of length |along|, in the frame of the owner
    const Vec<2> in_other{{x[1] * outwards[1] - x[0] * outwards[0], -x[1] * outwards[0] - x[0] * outwards[1]}};  // against it
    const double length2 = dot(along, along), base = dot(outwards, apart - p);
    double depth = dot(in_other, other.vertices[facing]);
    const double bound = base - depth;  // on separation times length; compared with its sign and square, without a root
    if (bound * std::abs(bound) < least * std::abs(least) * length2) continue;
    // Climb to the faced corner, either way round. No corner but the foremost holds the climb up: of two neighbours equally low,
    // one has a higher neighbour on its other hand, since no three corners lie in line.
    const auto climb = [&](bool onwards) {
      for (;;) {
        const int next = onwards ? other.after(facing) : other.before(facing);
        const double d = dot(in_other, other.vertices[next]);
        if (!(d > depth)) return;
        depth = d, facing = next;
      }
    };
    climb(true);
    climb(false);
    const double scale = 1.0 / std::sqrt(length2);
    if (!look(PolygonAxis{scale * (base - depth), scale * (owner.rotation * outwards), i, facing, of_first})) return false;
  }
  return true;
}

}  // namespace moreau::inline geometry
