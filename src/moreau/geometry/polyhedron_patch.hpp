// Where two convex parts touch, given the direction in which they do: the corners of the overlap of the two features (vertex,
// edge or face) that face each other, seen along that direction.
#pragma once

#include <algorithm>
#include <utility>

#include "moreau/base/elementary.hpp"
#include "moreau/geometry/manifold.hpp"
#include "moreau/geometry/polyhedron_feature.hpp"

namespace moreau::inline geometry {

// Edges that cross at less than this angle [rad] touch at the two ends of their common stretch, others at the crossing.
inline constexpr double parallel_angle = 0.02;
// Corners of the patch nearer than this, relative to the size of the parts, to a vertex bear the name of that vertex, so that
// flush blocks keep their names.
inline constexpr double naming_distance = 1e-6;

// Names of points: which vertex of which part, or which two edges. 2 bits of kind, 15 for the first part, 15 for the second.
enum class PointKind : std::uint32_t { vertex_of_first, vertex_of_second, crossing_of_edges, other };
MOREAU_BOTH constexpr std::uint32_t point_name(PointKind kind, std::int32_t first, std::int32_t second) {
  return (static_cast<std::uint32_t>(kind) << 30) | (static_cast<std::uint32_t>(first & 0x7fff) << 15) |
         static_cast<std::uint32_t>(second & 0x7fff);
}
// The name when the parts change places.
MOREAU_BOTH constexpr std::uint32_t swapped_name(std::uint32_t name) {
  const auto kind = static_cast<PointKind>(name >> 30);
  const auto first = static_cast<std::int32_t>((name >> 15) & 0x7fff), second = static_cast<std::int32_t>(name & 0x7fff);
  if (kind == PointKind::vertex_of_first) return point_name(PointKind::vertex_of_second, second, first);
  if (kind == PointKind::vertex_of_second) return point_name(PointKind::vertex_of_first, second, first);
  return point_name(kind, second, first);
}

// A pair of points of the two cores, one behind the other along the direction.
struct PatchPoint {
  Vec<3> on_a, on_b;  // in the frame of a
  double separation;
  std::uint32_t name;
};

// `corners`: of the largest face.
template <int corners>
struct Patch {
  static constexpr int capacity = 2 * corners + 16;
  PatchPoint point[capacity];
  int count = 0;
  double least = HUGE_VAL;  // separation of a pair of points that lie on the cores
};

// The tangent plane: unit direction from a to b, and a pair of points where the separation along it is attained.
struct TangentPlane {
  Vec<3> direction;
  Vec<3> on_a, on_b;
  double separation;
};

template <class Part>
using PatchOf = Patch<PartRoom<Part>::face_corners>;

namespace shadows {

using Plane = Vec<2>;

// A corner of the polygon being clipped and the origin of the side that follows it: side i of the subject, or ~j, side j of the
// clipping polygon.
struct Corner {
  Plane at;
  std::int32_t side;
};
template <int corners>
struct Polygon {
  Corner corner[Patch<corners>::capacity];
  int count = 0;
};

MOREAU_BOTH inline double area(const Plane& a, const Plane& b) { return a[0] * b[1] - a[1] * b[0]; }

// A feature seen along the direction: its corners in the plane across, counter-clockwise, and its height as a linear function.
template <int corners>
struct Shadow {
  Plane corner[corners];
  std::int32_t vertex[corners];
  int count;
  double height_at_origin;
  Plane slope;
  MOREAU_BOTH double height(const Plane& at) const { return height_at_origin + dot(slope, at); }
};

struct Frame {
  Vec<3> origin, first, second, direction;
  MOREAU_BOTH Plane project(const Vec<3>& x) const { return {{dot(first, x - origin), dot(second, x - origin)}}; }
  MOREAU_BOTH Vec<3> lift(const Plane& at, double height) const { return origin + at[0] * first + at[1] * second + height * direction; }
};

MOREAU_BOTH inline Frame frame_of(const TangentPlane& plane) {
  const Vec<3>& d = plane.direction;
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(d[i]) < std::abs(d[least])) least = i;
  Vec<3> axis{};
  axis[least] = 1.0;
  const Vec<3> first = normalized(cross(d, axis));
  return {plane.on_a, first, cross(d, first), d};
}

template <int corners>
MOREAU_BOTH inline void cast(const FacingFeature<corners>& feature, const Frame& frame, bool reversed, Shadow<corners>& shadow) {
  shadow.count = feature.count;
  for (int i = 0; i < feature.count; ++i) {
    const int from = reversed ? feature.count - 1 - i : i;
    shadow.corner[i] = frame.project(feature.corner[from]);
    shadow.vertex[i] = feature.vertex[from];
  }
  const Vec<3> start = feature.corner[0] - frame.origin;
  const Plane at = frame.project(feature.corner[0]);
  if (feature.count >= 3) {  // normal . (x - start) = 0
    const double scale = -1.0 / dot(feature.normal, frame.direction);
    shadow.slope = {{scale * dot(feature.normal, frame.first), scale * dot(feature.normal, frame.second)}};
  } else {
    const Vec<3> along = feature.corner[1] - feature.corner[0];
    const Plane flat{{dot(along, frame.first), dot(along, frame.second)}};
    shadow.slope = (dot(along, frame.direction) / dot(flat, flat)) * flat;
  }
  shadow.height_at_origin = dot(start, frame.direction) - dot(shadow.slope, at);
}

// Sutherland and Hodgman (1974); keeps track of which side each side of the result comes from. A segment is a polygon of two
// sides.
template <int corners>
MOREAU_BOTH inline void clip(const Shadow<corners>& subject, const Shadow<corners>& clipper, Polygon<corners>& polygon) {
  Polygon<corners> other;
  Polygon<corners> *now = &polygon, *next = &other;
  now->count = 0;
  for (int i = 0; i < subject.count; ++i) now->corner[now->count++] = {subject.corner[i], i};
  for (int j = 0; j < clipper.count && now->count > 0; ++j) {
    const Plane start = clipper.corner[j], side = clipper.corner[j + 1 < clipper.count ? j + 1 : 0] - start;
    next->count = 0;
    for (int i = 0; i < now->count; ++i) {
      const Corner &p = now->corner[i], &q = now->corner[i + 1 < now->count ? i + 1 : 0];
      const double at_p = area(side, p.at - start), at_q = area(side, q.at - start);
      if (next->count + 2 > Patch<corners>::capacity) break;
      if (at_p >= 0.0) next->corner[next->count++] = p;
      if ((at_p >= 0.0) == (at_q >= 0.0)) continue;
      const Plane cut = p.at + (at_p / (at_p - at_q)) * (q.at - p.at);
      next->corner[next->count++] = {cut, at_p >= 0.0 ? ~j : p.side};
    }
    std::swap(now, next);
  }
  if (now != &polygon) polygon = *now;
}

// The common stretch of two edges that are nearly parallel: two points, half-way between the edges.
template <int corners>
MOREAU_BOTH inline void common_stretch(const Shadow<corners>& a, const Shadow<corners>& b, Polygon<corners>& polygon) {
  const Plane start = a.corner[0], side = a.corner[1] - start;
  const double length = dot(side, side);
  double first = dot(b.corner[0] - start, side) / length, last = dot(b.corner[1] - start, side) / length;
  if (first > last) std::swap(first, last);
  first = std::max(first, 0.0), last = std::min(last, 1.0);
  polygon.count = 0;
  if (first > last) return;
  const Plane step = b.corner[1] - b.corner[0];
  const double ends[2] = {first, last};
  for (const double t : ends) {
    const Plane on_a = start + t * side;
    const double s = std::clamp(dot(on_a - b.corner[0], step) / dot(step, step), 0.0, 1.0);
    polygon.corner[polygon.count++] = {0.5 * (on_a + b.corner[0] + s * step), 0};
  }
}

template <int corners>
MOREAU_BOTH inline std::int32_t vertex_near(const Shadow<corners>& shadow, const Plane& at, double distance) {
  for (int i = 0; i < shadow.count; ++i) {
    const Plane off = at - shadow.corner[i];
    if (dot(off, off) <= distance * distance) return shadow.vertex[i];
  }
  return -1;
}

// Number of the edge from corner `side` of the shadow to the next. The hull lists edges by their lower, then higher vertex.
template <class Part, int corners>
MOREAU_BOTH inline std::int32_t edge_number(const Part& part, const Shadow<corners>& shadow, std::int32_t side) {
  const std::int32_t v = shadow.vertex[side], w = shadow.vertex[side + 1 < shadow.count ? side + 1 : 0];
  const std::int32_t low = std::min(v, w), high = std::max(v, w);
  const auto& edges = part.topology.edges;
  const auto is_before = [&](const PolyhedronEdge& e) {
    return e.vertices[0] < low || (e.vertices[0] == low && e.vertices[1] < high);
  };
  std::size_t first = 0;
  for (std::size_t count = edges.size(); count > 0;) {
    const std::size_t half = count / 2;
    if (is_before(edges[first + half]))
      first += half + 1, count -= half + 1;
    else
      count = half;
  }
  return first < edges.size() && edges[first].vertices[0] == low && edges[first].vertices[1] == high
             ? static_cast<std::int32_t>(first)
             : 0;
}

template <int corners>
MOREAU_BOTH inline void add_point(Patch<corners>& patch, const PatchPoint& point) {
  patch.least = std::min(patch.least, point.separation);
  for (int i = 0; i < patch.count; ++i)
    if (patch.point[i].name == point.name) {
      if (point.separation < patch.point[i].separation) patch.point[i] = point;
      return;
    }
  patch.point[patch.count++] = point;
}

MOREAU_BOTH inline bool is_crossing(std::uint32_t name) { return static_cast<PointKind>(name >> 30) == PointKind::crossing_of_edges; }

// Sides of the two polygons that run within `distance` of each other cross anywhere; such a crossing is no corner of the patch.
MOREAU_BOTH inline bool in_line(const Plane& before, const Plane& at, const Plane& after, double distance) {
  const Plane side = after - before;
  return std::abs(area(side, at - before)) <= distance * norm(side) && dot(at - before, after - at) > 0.0;
}

template <class Part>
struct Pair {
  using Seen = Shadow<PartRoom<Part>::face_corners>;
  const Part& part_a;
  const Part& part_b;
  const Seen& a;
  const Seen& b;
  bool a_is_subject;
};

// The two sides that meet at corner i: both of one polygon at a vertex of it, one of each at a crossing.
template <class Part, int corners>
MOREAU_BOTH inline std::uint32_t name_of(const Pair<Part>& pair, const Polygon<corners>& polygon, int i, double distance) {
  const Plane& at = polygon.corner[i].at;
  if (const std::int32_t v = vertex_near(pair.a, at, distance); v >= 0) return point_name(PointKind::vertex_of_first, v, 0);
  if (const std::int32_t v = vertex_near(pair.b, at, distance); v >= 0) return point_name(PointKind::vertex_of_second, 0, v);
  const std::int32_t before = polygon.corner[i > 0 ? i - 1 : polygon.count - 1].side, after = polygon.corner[i].side;
  if ((before < 0) == (after < 0)) return point_name(PointKind::other, before, after);
  std::int32_t of_a = std::max(before, after), of_b = ~std::min(before, after);
  if (!pair.a_is_subject) std::swap(of_a, of_b);
  return point_name(PointKind::crossing_of_edges, edge_number(pair.part_a, pair.a, of_a), edge_number(pair.part_b, pair.b, of_b));
}

// Ends of a common stretch: each is the end of one of the edges.
template <int corners>
MOREAU_BOTH inline std::uint32_t name_of_end(const Shadow<corners>& a, const Shadow<corners>& b, const Plane& at) {
  std::int32_t best = 0;
  double nearest = HUGE_VAL;
  for (int i = 0; i < 4; ++i) {
    const Plane off = at - (i < 2 ? a.corner[i] : b.corner[i - 2]);
    if (dot(off, off) < nearest * 0.999999) nearest = dot(off, off), best = i;
  }
  return best < 2 ? point_name(PointKind::vertex_of_first, a.vertex[best], 0)
                  : point_name(PointKind::vertex_of_second, 0, b.vertex[best - 2]);
}

template <class Part, int corners>
MOREAU_BOTH inline void overlap(const Pair<Part>& pair, const Frame& frame, double distance, double tolerance, Patch<corners>& patch) {
  const Shadow<corners> &a = pair.a, &b = pair.b;
  Polygon<corners> polygon;
  const bool edges = a.count == 2 && b.count == 2;
  if (edges) {
    const Plane p = a.corner[1] - a.corner[0], q = b.corner[1] - b.corner[0];
    if (std::abs(area(p, q)) > sine(parallel_angle) * norm(p) * norm(q)) return;  // one crossing: the pair of the plane
    common_stretch(a, b, polygon);
  } else {
    clip(pair.a_is_subject ? a : b, pair.a_is_subject ? b : a, polygon);
  }
  std::uint32_t name[Patch<corners>::capacity];
  for (int i = 0; i < polygon.count; ++i)
    name[i] = edges ? name_of_end(a, b, polygon.corner[i].at) : name_of(pair, polygon, i, distance);
  const auto add = [&](int i) {
    const Plane& at = polygon.corner[i].at;
    const double low = a.height(at), high = b.height(at);
    add_point(patch, {frame.lift(at, low), frame.lift(at, high), high - low, name[i]});
  };
  const int last = polygon.count - 1;
  for (int i = 0; i <= last; ++i)
    if (!is_crossing(name[i])) add(i);
  for (int i = 0; i <= last; ++i) {
    if (!is_crossing(name[i])) continue;
    const Plane &before = polygon.corner[i > 0 ? i - 1 : last].at, &after = polygon.corner[i < last ? i + 1 : 0].at;
    const Plane& at = polygon.corner[i].at;
    const bool deepest = b.height(at) - a.height(at) < patch.least - tolerance;
    if (deepest || !in_line(before, at, after, distance)) add(i);
  }
}

template <int corners>
MOREAU_BOTH inline std::uint32_t name_of_pair(const FacingFeature<corners>& a, const FacingFeature<corners>& b) {
  if (a.count == 1) return point_name(PointKind::vertex_of_first, a.id, 0);
  if (b.count == 1) return point_name(PointKind::vertex_of_second, 0, b.id);
  return point_name(a.count == 2 && b.count == 2 ? PointKind::crossing_of_edges : PointKind::other, a.id, b.id);
}

}  // namespace shadows

// All corners of the patch with separation up to `limit`, each name once, ordered by name. The pair of the plane is among them
// when the overlap of the features does not reach its separation (then the overlap is a point that rounding has lost).
template <class Part>
MOREAU_CALLED void find_patch(const Part& a, const Part& b, const RelativePose& b_to_a, const TangentPlane& plane, double size,
                            double limit, PatchOf<Part>& patch) {
  using namespace shadows;
  constexpr int corners = PartRoom<Part>::face_corners;
  constexpr RelativePose identity{{{{{1.0, 0.0, 0.0}}, {{0.0, 1.0, 0.0}}, {{0.0, 0.0, 1.0}}}}, {{0.0, 0.0, 0.0}}};
  const double tolerance = 1e-9 * size;
  FacingFeature<corners> on_a, on_b;
  find_facing(a, plane.direction, identity, tolerance, on_a);
  find_facing(b, -b_to_a.turn_back(plane.direction), b_to_a, tolerance, on_b);
  patch.count = 0;
  patch.least = HUGE_VAL;
  if (on_a.count > 1 && on_b.count > 1) {
    const Frame frame = frame_of(plane);
    Shadow<corners> of_a, of_b;
    cast(on_a, frame, false, of_a);
    cast(on_b, frame, true, of_b);
    overlap(Pair<Part>{a, b, of_a, of_b, of_b.count > 2}, frame, naming_distance * size, tolerance, patch);
  }
  const double of_overlap = patch.least;
  int kept = 0;
  for (int i = 0; i < patch.count; ++i)
    if (patch.point[i].separation <= limit) patch.point[kept++] = patch.point[i];
  patch.count = kept;
  if (of_overlap > plane.separation + tolerance && plane.separation <= limit)
    add_point(patch, {plane.on_a, plane.on_b, plane.separation, name_of_pair(on_a, on_b)});
  sort_few(patch.point, patch.count, [](const PatchPoint& p, const PatchPoint& q) { return p.name < q.name; });
  const bool beside = on_a.count == 2 && on_b.count == 2;  // parallel edges need not lie one behind the other
  patch.least = beside ? HUGE_VAL : of_overlap;
}

}  // namespace moreau::inline geometry
