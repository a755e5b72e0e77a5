// The piece of a line parallel to x that lies in a convex part in space.
#pragma once

#include <algorithm>

#include "moreau/geometry/shape.hpp"

namespace moreau::inline geometry {

struct Chord {
  double from = HUGE_VAL, to = -HUGE_VAL;

  bool empty() const { return !(from < to); }
  void join(const Chord& other) {
    if (!other.empty()) from = std::min(from, other.from), to = std::max(to, other.to);
  }
  // Cuts off what does not satisfy slope x <= bound.
  void cut(double slope, double bound) {
    if (slope > 0.0) to = std::min(to, bound / slope);
    if (slope < 0.0) from = std::max(from, bound / slope);
    if (slope == 0.0 && bound < 0.0) from = HUGE_VAL;
  }
  static Chord whole_line() { return {-HUGE_VAL, HUGE_VAL}; }
};

// Through (0, y, z). A rounded part is the union of its core, a prism on each face, a cylinder about each edge and a ball about
// each vertex; since it is convex, its chord reaches from the first to the last of theirs.
inline Chord chord_of(const ConvexPart<3>& part, double y, double z) {
  const auto at = [&](std::int32_t v) { return part.vertices[static_cast<std::size_t>(v)]; };
  const double r = part.radius;
  const Vec<3> foot{{0.0, y, z}};
  Chord chord;
  if (!part.topology.faces.empty()) {
    Chord core = Chord::whole_line();
    for (const PolyhedronFace& face : part.topology.faces) core.cut(face.normal[0], face.offset - dot(face.normal, foot));
    chord.join(core);
  }
  if (r == 0.0) return chord;
  const auto add_ball = [&](const Vec<3>& c) {
    const double height = r * r - (y - c[1]) * (y - c[1]) - (z - c[2]) * (z - c[2]);
    if (height > 0.0) chord.join({c[0] - std::sqrt(height), c[0] + std::sqrt(height)});
  };
  const auto add_cylinder = [&](const Vec<3>& tail, const Vec<3>& head) {
    const double length = norm(head - tail);
    if (!(length > 0.0)) return;
    const Vec<3> d = (1.0 / length) * (head - tail), off = foot - tail;
    Chord piece = Chord::whole_line();
    piece.cut(-d[0], dot(d, off));
    piece.cut(d[0], length - dot(d, off));
    const Vec<3> slope = Vec<3>{{1.0, 0.0, 0.0}} - d[0] * d, across = off - dot(d, off) * d;  // |across + x slope| <= r
    const double a = dot(slope, slope), b = dot(slope, across), c = dot(across, across) - r * r, root = b * b - a * c;
    if (a > 1e-24) {
      if (!(root > 0.0)) return;
      piece.from = std::max(piece.from, (-b - std::sqrt(root)) / a);
      piece.to = std::min(piece.to, (-b + std::sqrt(root)) / a);
    } else if (c > 0.0) {
      return;
    }
    chord.join(piece);
  };
  for (const Vec<3>& v : part.vertices) add_ball(v);
  if (part.vertices.size() == 2) add_cylinder(part.vertices[0], part.vertices[1]);
  for (const PolyhedronEdge& edge : part.topology.edges) add_cylinder(at(edge.vertices[0]), at(edge.vertices[1]));
  for (const PolyhedronFace& face : part.topology.faces) {
    Chord piece = Chord::whole_line();
    const double height = dot(face.normal, foot) - face.offset;
    piece.cut(-face.normal[0], height);
    piece.cut(face.normal[0], r - height);
    for (std::size_t i = 0, n = face.vertices.size(); i < n && !piece.empty(); ++i) {
      const Vec<3> tail = at(face.vertices[i]), outward = cross(at(face.vertices[i + 1 < n ? i + 1 : 0]) - tail, face.normal);
      piece.cut(outward[0], -dot(outward, foot - tail));
    }
    chord.join(piece);
  }
  return chord;
}

}  // namespace moreau::inline geometry
