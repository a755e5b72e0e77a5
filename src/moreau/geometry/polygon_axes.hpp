// The separating axes of two convex polygons: the normals of their sides. Part of the contact search in polygon_manifold.cpp.
#pragma once

#include "moreau/geometry/pose.hpp"
#include "moreau/geometry/shape.hpp"

namespace moreau {

struct PlacedPolygon {
  const ConvexPart<2>& part;
  const Matrix<2>& rotation;
  Vec<2> offset;  // from the centre of the first body

  int count() const { return static_cast<int>(part.vertices.size()); }
  int after(int i) const { return i + 1 == count() ? 0 : i + 1; }
  int before(int i) const { return i == 0 ? count() - 1 : i - 1; }
  const Vec<2>& in_body(int i) const { return part.vertices[static_cast<std::size_t>(i)]; }
  Vec<2> corner(int i) const { return offset + rotation * in_body(i); }
};

// The side edge -> edge + 1 of one core, and the corner of the other that is foremost against its normal.
struct PolygonAxis {
  double separation = -HUGE_VAL;
  Vec<2> normal{};  // of the side, outwards: towards the other core
  int edge = -1, facing = -1;
  bool of_first = true;  // the side belongs to the first part
};

// A segment is a polygon of two sides back to back; a point has none. Stops when `look` returns false.
template <class Look>
bool for_each_side(const PlacedPolygon& owner, const PlacedPolygon& other, bool of_first, Look look) {
  if (owner.count() < 2) return true;
  const Vec<2> apart = other.offset - owner.offset;
  int facing = 0;
  Vec<2> previous{};
  for (int i = 0; i < owner.count(); ++i) {
    const Vec<2>&p = owner.in_body(i), along = owner.in_body(owner.after(i)) - p;
    const double scale = 1.0 / norm(along);
    const Vec<2> in_owner{{scale * along[1], -scale * along[0]}};
    const Vec<2> normal = owner.rotation * in_owner;
    const Vec<2> in_other = -transposed_times(other.rotation, normal);
    double depth = dot(in_other, other.in_body(facing));
    if (dot(normal, previous) <= 0.0) {  // the first side, or after a sharp corner: look at all
      for (int k = 0; k < other.count(); ++k)
        if (const double d = dot(in_other, other.in_body(k)); d > depth) depth = d, facing = k;
    } else {
      for (int k = other.after(facing); k != facing; k = other.after(k)) {
        const double d = dot(in_other, other.in_body(k));
        if (d <= depth) break;
        depth = d, facing = k;
      }
    }
    previous = normal;
    if (!look(PolygonAxis{dot(normal, apart) - dot(in_owner, p) - depth, normal, i, facing, of_first})) return false;
  }
  return true;
}

}  // namespace moreau
