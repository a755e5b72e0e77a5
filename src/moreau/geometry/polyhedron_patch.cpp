#include "moreau/geometry/polyhedron_patch.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "moreau/base/elementary.hpp"
#include "moreau/geometry/polyhedron_feature.hpp"

namespace moreau::inline geometry {
namespace {

using Plane = Vec<2>;

// A corner of the polygon being clipped and the origin of the side that follows it: side i of the subject, or ~j, side j of the
// clipping polygon.
struct Corner {
  Plane at;
  std::int32_t side;
};
struct Polygon {
  Corner corner[Patch::capacity];
  int count = 0;
};

double area(const Plane& a, const Plane& b) { return a[0] * b[1] - a[1] * b[0]; }

// A feature seen along the direction: its corners in the plane across, counter-clockwise, and its height as a linear function.
struct Shadow {
  Plane corner[FacingFeature::capacity];
  std::int32_t vertex[FacingFeature::capacity];
  int count;
  double height_at_origin;
  Plane slope;
  double height(const Plane& at) const { return height_at_origin + dot(slope, at); }
};

struct Frame {
  Vec<3> origin, first, second, direction;
  Plane project(const Vec<3>& x) const { return {{dot(first, x - origin), dot(second, x - origin)}}; }
  Vec<3> lift(const Plane& at, double height) const { return origin + at[0] * first + at[1] * second + height * direction; }
};

Frame frame_of(const TangentPlane& plane) {
  const Vec<3>& d = plane.direction;
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(d[i]) < std::abs(d[least])) least = i;
  Vec<3> axis{};
  axis[least] = 1.0;
  const Vec<3> first = normalized(cross(d, axis));
  return {plane.on_a, first, cross(d, first), d};
}

void cast(const FacingFeature& feature, const Frame& frame, bool reversed, Shadow& shadow) {
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
void clip(const Shadow& subject, const Shadow& clipper, Polygon& polygon) {
  Polygon other;
  Polygon *now = &polygon, *next = &other;
  now->count = 0;
  for (int i = 0; i < subject.count; ++i) now->corner[now->count++] = {subject.corner[i], i};
  for (int j = 0; j < clipper.count && now->count > 0; ++j) {
    const Plane start = clipper.corner[j], side = clipper.corner[j + 1 < clipper.count ? j + 1 : 0] - start;
    next->count = 0;
    for (int i = 0; i < now->count; ++i) {
      const Corner &p = now->corner[i], &q = now->corner[i + 1 < now->count ? i + 1 : 0];
      const double at_p = area(side, p.at - start), at_q = area(side, q.at - start);
      if (next->count + 2 > Patch::capacity) break;
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
void common_stretch(const Shadow& a, const Shadow& b, Polygon& polygon) {
  const Plane start = a.corner[0], side = a.corner[1] - start;
  const double length = dot(side, side);
  double first = dot(b.corner[0] - start, side) / length, last = dot(b.corner[1] - start, side) / length;
  if (first > last) std::swap(first, last);
  first = std::max(first, 0.0), last = std::min(last, 1.0);
  polygon.count = 0;
  if (first > last) return;
  const Plane step = b.corner[1] - b.corner[0];
  for (const double t : {first, last}) {
    const Plane on_a = start + t * side;
    const double s = std::clamp(dot(on_a - b.corner[0], step) / dot(step, step), 0.0, 1.0);
    polygon.corner[polygon.count++] = {0.5 * (on_a + b.corner[0] + s * step), 0};
  }
}

std::int32_t vertex_near(const Shadow& shadow, const Plane& at, double distance) {
  for (int i = 0; i < shadow.count; ++i) {
    const Plane off = at - shadow.corner[i];
    if (dot(off, off) <= distance * distance) return shadow.vertex[i];
  }
  return -1;
}

// Number of the edge from corner `side` of the shadow to the next. The hull lists edges by their lower, then higher vertex.
std::int32_t edge_number(const ConvexPart<3>& part, const Shadow& shadow, std::int32_t side) {
  const std::int32_t v = shadow.vertex[side], w = shadow.vertex[side + 1 < shadow.count ? side + 1 : 0];
  const std::array<std::int32_t, 2> ends{std::min(v, w), std::max(v, w)};
  const auto& edges = part.topology.edges;
  const auto found = std::lower_bound(edges.begin(), edges.end(), ends,
                                      [](const PolyhedronEdge& e, const auto& key) { return e.vertices < key; });
  return found != edges.end() && found->vertices == ends ? static_cast<std::int32_t>(found - edges.begin()) : 0;
}

void add_point(Patch& patch, const PatchPoint& point) {
  patch.least = std::min(patch.least, point.separation);
  for (int i = 0; i < patch.count; ++i)
    if (patch.point[i].name == point.name) {
      if (point.separation < patch.point[i].separation) patch.point[i] = point;
      return;
    }
  patch.point[patch.count++] = point;
}

bool is_crossing(std::uint32_t name) { return static_cast<PointKind>(name >> 30) == PointKind::crossing_of_edges; }

// Sides of the two polygons that run within `distance` of each other cross anywhere; such a crossing is no corner of the patch.
bool in_line(const Plane& before, const Plane& at, const Plane& after, double distance) {
  const Plane side = after - before;
  return std::abs(area(side, at - before)) <= distance * norm(side) && dot(at - before, after - at) > 0.0;
}

struct Pair {
  const ConvexPart<3>& part_a;
  const ConvexPart<3>& part_b;
  const Shadow& a;
  const Shadow& b;
  bool a_is_subject;
};

// The two sides that meet at corner i: both of one polygon at a vertex of it, one of each at a crossing.
std::uint32_t name_of(const Pair& pair, const Polygon& polygon, int i, double distance) {
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
std::uint32_t name_of_end(const Shadow& a, const Shadow& b, const Plane& at) {
  std::int32_t best = 0;
  double nearest = HUGE_VAL;
  for (int i = 0; i < 4; ++i) {
    const Plane off = at - (i < 2 ? a.corner[i] : b.corner[i - 2]);
    if (dot(off, off) < nearest * 0.999999) nearest = dot(off, off), best = i;
  }
  return best < 2 ? point_name(PointKind::vertex_of_first, a.vertex[best], 0)
                  : point_name(PointKind::vertex_of_second, 0, b.vertex[best - 2]);
}

void overlap(const Pair& pair, const Frame& frame, double distance, double tolerance, Patch& patch) {
  const Shadow &a = pair.a, &b = pair.b;
  Polygon polygon;
  const bool edges = a.count == 2 && b.count == 2;
  if (edges) {
    const Plane p = a.corner[1] - a.corner[0], q = b.corner[1] - b.corner[0];
    if (std::abs(area(p, q)) > sine(parallel_angle) * norm(p) * norm(q)) return;  // one crossing: the pair of the plane
    common_stretch(a, b, polygon);
  } else {
    clip(pair.a_is_subject ? a : b, pair.a_is_subject ? b : a, polygon);
  }
  std::uint32_t name[Patch::capacity];
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

std::uint32_t name_of_pair(const FacingFeature& a, const FacingFeature& b) {
  if (a.count == 1) return point_name(PointKind::vertex_of_first, a.id, 0);
  if (b.count == 1) return point_name(PointKind::vertex_of_second, 0, b.id);
  return point_name(a.count == 2 && b.count == 2 ? PointKind::crossing_of_edges : PointKind::other, a.id, b.id);
}

}  // namespace

void find_patch(const ConvexPart<3>& a, const ConvexPart<3>& b, const RelativePose& b_to_a, const TangentPlane& plane,
                double size, double limit, Patch& patch) {
  static constexpr RelativePose identity{{{{{1.0, 0.0, 0.0}}, {{0.0, 1.0, 0.0}}, {{0.0, 0.0, 1.0}}}}, {{0.0, 0.0, 0.0}}};
  const double tolerance = 1e-9 * size;
  FacingFeature on_a, on_b;
  find_facing(a, plane.direction, identity, tolerance, on_a);
  find_facing(b, -b_to_a.turn_back(plane.direction), b_to_a, tolerance, on_b);
  patch.count = 0;
  patch.least = HUGE_VAL;
  if (on_a.count > 1 && on_b.count > 1) {
    const Frame frame = frame_of(plane);
    Shadow of_a, of_b;
    cast(on_a, frame, false, of_a);
    cast(on_b, frame, true, of_b);
    overlap({a, b, of_a, of_b, of_b.count > 2}, frame, naming_distance * size, tolerance, patch);
  }
  const double of_overlap = patch.least;
  int kept = 0;
  for (int i = 0; i < patch.count; ++i)
    if (patch.point[i].separation <= limit) patch.point[kept++] = patch.point[i];
  patch.count = kept;
  if (of_overlap > plane.separation + tolerance && plane.separation <= limit)
    add_point(patch, {plane.on_a, plane.on_b, plane.separation, name_of_pair(on_a, on_b)});
  std::sort(patch.point, patch.point + patch.count, [](const PatchPoint& p, const PatchPoint& q) { return p.name < q.name; });
  const bool beside = on_a.count == 2 && on_b.count == 2;  // parallel edges need not lie one behind the other
  patch.least = beside ? HUGE_VAL : of_overlap;
}

}  // namespace moreau::inline geometry
