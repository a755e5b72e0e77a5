// Contact points of two convex parts in space.
//
// 1. The tangent plane. Over face normals and common normals of edges, the one along which the cores are farthest apart or
// overlap
//    least (separating axes). Overlapping cores: that is the answer. Cores apart: it is the answer when the points that face each
//    other along it are as near as the separation; otherwise (a vertex before an edge or a vertex) the nearest points give it.
//    The direction is continuous except where two axes tie: corner before corner. There the one nearest to the line of centres is
//    taken, and as the corners close in from apart, the direction of the last gap gives way to one of the axes.
// 2. The patch: the features that face each other, seen along the direction (polyhedron_patch.hpp).
#include <algorithm>

#include "moreau/geometry/polyhedron_axes.hpp"
#include "moreau/geometry/polyhedron_corners.hpp"
#include "moreau/geometry/polyhedron_distance.hpp"
#include "moreau/geometry/polyhedron_patch.hpp"

namespace moreau::inline geometry {
namespace {

// Relative to the smaller part: separations within `equal` of each other are equal, a face goes before edges within it, and
// nearest points nearer than it have no direction of their own. Edges are asked when the faces part the cores by less than
// `close`.
constexpr double equal = 1e-9, close = 1e-6;

struct Cores {
  const ConvexPart<3>& a;  // has faces if any has
  const ConvexPart<3>& b;
  RelativePose b_to_a;
  double limit;  // of the separation of the cores
  double size;
};

const Vec<3>& vertex(const ConvexPart<3>& part, std::int32_t i) { return part.vertices[static_cast<std::size_t>(i)]; }

bool lies_over(const ConvexPart<3>& part, const PolyhedronFace& face, const Vec<3>& point, double tolerance) {
  for (std::size_t i = 0, n = face.vertices.size(); i < n; ++i) {
    const Vec<3>&tail = vertex(part, face.vertices[i]), &head = vertex(part, face.vertices[i + 1 < n ? i + 1 : 0]);
    const Vec<3> inward = cross(face.normal, head - tail);
    if (dot(inward, point - tail) < -tolerance * norm(head - tail)) return false;
  }
  return true;
}

struct BestAxis {
  TangentPlane plane;
  bool nearest;  // the pair of points of the plane lies on the cores: then, apart, they are the nearest points
};

BestAxis along_face_of_a(const Cores& c, const FaceAxis& axis) {
  const PolyhedronFace& face = c.a.topology.faces[static_cast<std::size_t>(axis.face)];
  const Vec<3> point = c.b_to_a.place(vertex(c.b, axis.vertex));
  return {{face.normal, point - axis.separation * face.normal, point, axis.separation},
          lies_over(c.a, face, point, equal * c.size)};
}

BestAxis along_face_of_b(const Cores& c, const RelativePose& a_to_b, const FaceAxis& axis) {
  const PolyhedronFace& face = c.b.topology.faces[static_cast<std::size_t>(axis.face)];
  const Vec<3> point = vertex(c.a, axis.vertex), direction = -c.b_to_a.turn(face.normal);
  return {{direction, point, point + axis.separation * direction, axis.separation},
          lies_over(c.b, face, a_to_b.place(point), equal * c.size)};
}

// False when some axis parts the cores by more than the limit.
bool find_axis(const Cores& c, BestAxis& best) {
  Vec<3> line = c.b_to_a.place(c.b.centre) - c.a.centre;
  if (dot(line, line) == 0.0) line = {{1.0, 0.0, 0.0}};
  const Support of_a = support(c.a, line), of_b = support(c.b, -c.b_to_a.turn_back(line));
  const double along_line = dot(line, c.b_to_a.place(vertex(c.b, of_b.vertex))) - of_a.height;
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
bool surely_overlap(const Cores& c, const Patch& patch) {
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
Vec<3> direction_of_crossing(const Cores& c) {
  const auto along = [](const ConvexPart<3>& part) { return part.vertices.back() - part.vertices.front(); };
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

bool thin_patch(const Cores& c, Patch& patch, Vec<3>& direction) {
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

double separation_along(const Cores& c, const Vec<3>& direction) {
  const std::int32_t nearest = support(c.b, -c.b_to_a.turn_back(direction)).vertex;
  return dot(direction, c.b_to_a.place(vertex(c.b, nearest))) - support(c.a, direction).height;
}

bool cores_patch(const Cores& c, Patch& patch, Vec<3>& direction) {
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

}  // namespace

template <>
void part_manifold<3>(const ConvexPart<3>& a, const Pose<3>& at_a, const ConvexPart<3>& b, const Pose<3>& at_b, double margin,
                      Manifold<3>& manifold) {
  manifold.count = 0;
  const Vec<3> between = at_b.position - at_a.position + at_b.turn(b.centre) - at_a.turn(a.centre);
  const double reach = a.reach + b.reach + margin;
  if (!(dot(between, between) <= reach * reach)) return;

  const bool swap = !has_faces(a) && has_faces(b);
  const ConvexPart<3>&first = swap ? b : a, &second = swap ? a : b;
  const Pose<3>&at_first = swap ? at_b : at_a, &at_second = swap ? at_a : at_b;
  Patch patch;
  Vec<3> direction;
  const Cores cores{first, second, relative_pose(at_first, at_second), margin + a.radius + b.radius, std::min(a.reach, b.reach)};
  if (!cores_patch(cores, patch, direction)) return;

  const Vec<3> outward = at_first.turn(direction), normal = swap ? outward : -outward;
  ManifoldPoint<3> points[Patch::capacity];
  for (int i = 0; i < patch.count; ++i) {
    const PatchPoint& p = patch.point[i];
    const Vec<3> middle = 0.5 * (p.on_a + p.on_b) + 0.5 * (first.radius - second.radius) * direction;
    points[i] = {at_first.place(middle), normal, p.separation - a.radius - b.radius, swap ? swapped_name(p.name) : p.name};
  }
  if (swap) std::sort(points, points + patch.count, [](const auto& p, const auto& q) { return p.feature < q.feature; });
  select_corners({points, static_cast<std::size_t>(patch.count)}, manifold);
}

}  // namespace moreau::inline geometry
