// Contact points of two convex parts in space.
//
// 1. The tangent plane. Over face normals and common normals of edges, the one along which the cores are farthest apart or
//    overlap least (separating axes). Overlapping cores: that is the answer. Cores apart: it is the answer when the points that face each
//    other along it are as near as the separation; otherwise (a vertex before an edge or a vertex) the nearest points give it.
//    The direction is continuous except where two axes tie: corner before corner. There the one nearest to the line of centres is
//    taken, and as the corners close in from apart, the direction of the last gap gives way to one of the axes.
// 2. The patch: the features that face each other, seen along the direction (polyhedron_patch.hpp).
#pragma once

#include <algorithm>

#include "moreau/geometry/polyhedron_axes.hpp"
#include "moreau/geometry/polyhedron_corners.hpp"
#include "moreau/geometry/polyhedron_distance.hpp"
#include "moreau/geometry/polyhedron_patch.hpp"

namespace moreau::inline geometry {
namespace cores {

// Relative to the smaller part: separations within `equal` of each other are equal, a face goes before edges within it, and
// nearest points nearer than it have no direction of their own. Edges are asked when the faces part the cores by less than
// `close`.
constexpr double equal = 1e-9, close = 1e-6;

template <class Part>
struct Cores {
  const Part& a;  // has faces if any has
  const Part& b;
  RelativePose b_to_a;
  double limit;  // of the separation of the cores
  double size;
};

template <class Part, class Face>
MOREAU_BOTH inline bool lies_over(const Part& part, const Face& face, const Vec<3>& point, double tolerance) {
  for (std::size_t i = 0, n = face.vertices.size(); i < n; ++i) {
    const Vec<3>&tail = vertex_of(part, face.vertices[i]), &head = vertex_of(part, face.vertices[i + 1 < n ? i + 1 : 0]);
    const Vec<3> inward = cross(face.normal, head - tail);
    if (dot(inward, point - tail) < -tolerance * norm(head - tail)) return false;
  }
  return true;
}

struct BestAxis {
  TangentPlane plane;
  bool nearest;  // the pair of points of the plane lies on the cores: then, apart, they are the nearest points
};

template <class Part>
MOREAU_BOTH inline BestAxis along_face_of_a(const Cores<Part>& c, const FaceAxis& axis) {
  const auto& face = c.a.topology.faces[static_cast<std::size_t>(axis.face)];
  const Vec<3> point = c.b_to_a.place(vertex_of(c.b, axis.vertex));
  return {{face.normal, point - axis.separation * face.normal, point, axis.separation},
          lies_over(c.a, face, point, equal * c.size)};
}

template <class Part>
MOREAU_BOTH inline BestAxis along_face_of_b(const Cores<Part>& c, const RelativePose& a_to_b, const FaceAxis& axis) {
  const auto& face = c.b.topology.faces[static_cast<std::size_t>(axis.face)];
  const Vec<3> point = vertex_of(c.a, axis.vertex), direction = -c.b_to_a.turn(face.normal);
  return {{direction, point, point + axis.separation * direction, axis.separation},
          lies_over(c.b, face, a_to_b.place(point), equal * c.size)};
}

// False when some axis parts the cores by more than the limit.
template <class Part>
MOREAU_BOTH inline bool find_axis(const Cores<Part>& c, BestAxis& best) {
  Vec<3> line = c.b_to_a.place(c.b.centre) - c.a.centre;
  if (dot(line, line) == 0.0) line = {{1.0, 0.0, 0.0}};
  const Support of_a = support(c.a, line), of_b = support(c.b, -c.b_to_a.turn_back(line));
  const double along_line = dot(line, c.b_to_a.place(vertex_of(c.b, of_b.vertex))) - of_a.height;
  if (along_line > 0.0 && along_line * along_line > c.limit * c.limit * dot(line, line)) return false;

  const FaceAxis face_a = best_face(c.a, c.b, c.b_to_a, of_b.vertex, c.limit, equal * c.size);
  if (face_a.separation > c.limit) return false;
  const RelativePose a_to_b = inverse(c.b_to_a);
  const FaceAxis face_b = best_face(c.b, c.a, a_to_b, of_a.vertex, c.limit, equal * c.size);
  if (face_b.separation > c.limit) return false;
  const bool of_second = beats(face_b.separation, face_b.alignment, face_a.separation, face_a.alignment, equal * c.size);
  best = of_second ? along_face_of_b(c, a_to_b, face_b) : along_face_of_a(c, face_a);

  const TangentPlane face = best.plane;
  if (face.separation > close * c.size) return true;
  const double depth = std::max(-face.separation, 0.0) + close * c.size;
  const EdgeAxis edges = best_edges(c.a, c.b, c.b_to_a, face.direction, dot(face.direction, face.on_a), depth);
  if (edges.separation > face.separation + equal * c.size)
    best = {{edges.direction, edges.on_a, edges.on_b, edges.separation}, edges.crosses};
  return best.plane.separation <= c.limit;
}

// A point of both cores is known: one of the pair where the patch is deepest. (A segment has no inside; it is left to the
// distance.)
template <class Part>
MOREAU_BOTH inline bool surely_overlap(const Cores<Part>& c, const PatchOf<Part>& patch) {
  const PatchPoint* deepest = nullptr;
  for (int i = 0; i < patch.count; ++i)
    if (!deepest || patch.point[i].separation < deepest->separation) deepest = &patch.point[i];
  if (!deepest) return false;
  const double tolerance = equal * c.size;
  const auto in_both = [&](const Vec<3>& x) {
    return holds(c.a, x, tolerance) &&
           (c.b.vertices.size() == 1 || holds(c.b, c.b_to_a.turn_back(x - c.b_to_a.shift), tolerance));
  };
  return in_both(deepest->on_b) || (has_faces(c.b) && in_both(deepest->on_a));
}

// Two cores without faces (points, segments) that meet: across both, or across the one, or anywhere; on the side of the centres.
template <class Part>
MOREAU_BOTH inline Vec<3> direction_of_crossing(const Cores<Part>& c) {
  const auto along = [](const Part& part) { return part.vertices[part.vertices.size() - 1] - part.vertices[0]; };
  const Vec<3> p = along(c.a), q = c.b_to_a.turn(along(c.b)), line = c.b_to_a.place(c.b.centre) - c.a.centre;
  Vec<3> across = cross(p, q);
  if (!(norm(across) > 1e-9 * norm(p) * norm(q))) {
    const Vec<3>& longer = dot(p, p) > dot(q, q) ? p : q;
    int least = 0;
    for (int i = 1; i < 3; ++i)
      if (std::abs(longer[i]) < std::abs(longer[least])) least = i;
    Vec<3> axis{};
    axis[least] = 1.0;
    across = dot(longer, longer) > 0.0 ? cross(longer, axis) : axis;
  }
  across = normalized(across);
  return dot(across, line) < 0.0 ? -across : across;
}

template <class Part>
MOREAU_BOTH inline bool thin_patch(const Cores<Part>& c, PatchOf<Part>& patch, Vec<3>& direction) {
  Vec<3> line = c.b_to_a.place(c.b.centre) - c.a.centre;
  if (dot(line, line) == 0.0) line = {{1.0, 0.0, 0.0}};
  CoreDistance near = core_distance(c.a, c.b, c.b_to_a, line, c.limit);
  if (near.beyond || near.distance > c.limit) return false;
  TangentPlane plane{near.direction, near.on_first, near.on_second, near.distance};
  if (!(near.distance > equal * c.size)) {
    plane.direction = direction_of_crossing(c);
    plane.separation = dot(plane.direction, plane.on_b - plane.on_a);
  }
  direction = plane.direction;
  find_patch(c.a, c.b, c.b_to_a, plane, c.size, c.limit, patch);
  return true;
}

template <class Part>
MOREAU_BOTH inline double separation_along(const Cores<Part>& c, const Vec<3>& direction) {
  const std::int32_t nearest = support(c.b, -c.b_to_a.turn_back(direction)).vertex;
  return dot(direction, c.b_to_a.place(vertex_of(c.b, nearest))) - support(c.a, direction).height;
}

template <class Part>
MOREAU_BOTH inline bool cores_patch(const Cores<Part>& c, PatchOf<Part>& patch, Vec<3>& direction) {
  if (!has_faces(c.a)) return thin_patch(c, patch, direction);
  BestAxis axis;
  if (!find_axis(c, axis)) return false;
  direction = axis.plane.direction;
  const double separation = axis.plane.separation;
  find_patch(c.a, c.b, c.b_to_a, axis.plane, c.size, c.limit, patch);
  const bool certain = separation > 0.0 ? axis.nearest || patch.least <= separation + equal * c.size : surely_overlap(c, patch);
  if (certain) return true;
  const CoreDistance near = core_distance(c.a, c.b, c.b_to_a, direction, c.limit);
  if (near.beyond) return false;
  // The shorter the distance, the more rounding has turned its direction: it must part the cores, and by more than the axis does.
  const bool apart = near.distance > equal * c.size && separation_along(c, near.direction) > std::max(separation, 0.0);
  if (apart && near.distance > c.limit) return false;
  if (!apart && separation < -close * c.size) return true;
  if (apart) direction = near.direction;
  // Cores that just touch keep the direction of the axis. Its points may lie beside them (edge on edge); the nearest ones do not.
  find_patch(c.a, c.b, c.b_to_a, {direction, near.on_first, near.on_second, apart ? near.distance : separation}, c.size, c.limit,
             patch);
  return true;
}

}  // namespace cores

template <class Part>
MOREAU_INLINE void find_polyhedron_contact(const Part& a, const Pose<3>& at_a, const Part& b, const Pose<3>& at_b, double margin,
                                         Manifold<3>& manifold) {
  using namespace cores;
  manifold.count = 0;
  const Vec<3> between = at_b.position - at_a.position + at_b.turn(b.centre) - at_a.turn(a.centre);
  const double reach = a.reach + b.reach + margin;
  if (!(dot(between, between) <= reach * reach)) return;

  const bool swap = !has_faces(a) && has_faces(b);
  const Part&first = swap ? b : a, &second = swap ? a : b;
  const Pose<3>&at_first = swap ? at_b : at_a, &at_second = swap ? at_a : at_b;
  PatchOf<Part> patch;
  Vec<3> direction;
  const Cores<Part> both{first, second, relative_pose(at_first, at_second), margin + a.radius + b.radius, std::min(a.reach, b.reach)};
  if (!cores_patch(both, patch, direction)) return;

  const Vec<3> outward = at_first.turn(direction), normal = swap ? outward : -outward;
  ManifoldPoint<3> points[PatchOf<Part>::capacity];
  for (int i = 0; i < patch.count; ++i) {
    const PatchPoint& p = patch.point[i];
    const Vec<3> middle = 0.5 * (p.on_a + p.on_b) + 0.5 * (first.radius - second.radius) * direction;
    points[i] = {at_first.place(middle), normal, p.separation - a.radius - b.radius, swap ? swapped_name(p.name) : p.name};
  }
  if (swap) sort_few(points, patch.count, [](const auto& p, const auto& q) { return p.feature < q.feature; });
  select_corners({points, static_cast<std::size_t>(patch.count)}, manifold);
}

// Contact points of a convex part with a wall in space. A plane and the inside of a cylinder bound convex rooms, so that the part
// comes nearest to them with its vertices.
template <class Part, class Wall>
MOREAU_INLINE void find_polyhedron_wall_contact(const Part& a, const Pose<3>& at_a, const Wall& wall, const Vec<3>& shift,
                                              double margin, Manifold<3>& manifold) {
  manifold.count = 0;
  if (separation(wall, shift, at_a.place(a.centre), a.reach).gap > margin) return;
  ListOf<ManifoldPoint<3>, Part> near;
  for (std::size_t v = 0; v < a.vertices.size(); ++v) {
    const Vec<3> at = at_a.place(a.vertices[v]);
    const Separation<3> s = separation(wall, shift, at, a.radius);
    if (!(s.gap <= margin)) continue;
    const std::uint32_t name = point_name(PointKind::vertex_of_first, static_cast<std::int32_t>(v), 0);
    near.push_back({at - (a.radius + 0.5 * s.gap) * s.normal, s.normal, s.gap, name});
  }
  select_corners(near.all(), manifold);
}

}  // namespace moreau::inline geometry
