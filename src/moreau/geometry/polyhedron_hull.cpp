// Convex hull in space: exact triangles on a grid of 2^-40 of the extent, then neighbouring triangles in one plane merged to
// faces.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <unordered_map>

#include "moreau/geometry/enclosing_ball.hpp"
#include "moreau/geometry/mass_properties.hpp"
#include "moreau/geometry/polyhedron_triangles.hpp"

namespace moreau::inline geometry {
namespace {

// Relative to the extent: vertices nearer to each other are one vertex; a hull thinner than the first is flat; triangles whose
// corners lie within it of the plane of a larger neighbour belong to the same face. The first value for which all faces come out
// closed is taken: points that deviate from a plane by just about one of them may need another.
constexpr double coarseness[] = {1e-9, 1e-8, 1e-7, 1e-10, 1e-11, 1e-12};
// A name of a contact point has 15 bits for a vertex or edge; a face is clipped in arrays of fixed size.
constexpr std::size_t most_vertices = 8192, most_corners = 128;

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

struct Extent {
  Vec<3> low, high;
  double largest = 0.0;
};

Extent extent_of(std::span<const Vec<3>> points) {
  Extent e{points[0], points[0]};
  for (const Vec<3>& x : points)
    for (int d = 0; d < 3; ++d) e.low[d] = std::min(e.low[d], x[d]), e.high[d] = std::max(e.high[d], x[d]);
  for (int d = 0; d < 3; ++d) e.largest = std::max(e.largest, e.high[d] - e.low[d]);
  return e;
}

std::vector<GridPoint> on_grid(std::span<const Vec<3>> points, const Extent& extent) {
  std::vector<GridPoint> grid;
  for (const Vec<3>& x : points) {
    GridPoint g;
    for (int d = 0; d < 3; ++d)
      g[static_cast<std::size_t>(d)] = std::llround((x[d] - extent.low[d]) / extent.largest * static_cast<double>(grid_extent));
    grid.push_back(g);
  }
  return grid;
}

template <class Measure>
std::int32_t farthest(std::span<const Vec<3>> points, Measure measure) {
  std::int32_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (measure(points[i]) > measure(points[index(best)])) best = static_cast<std::int32_t>(i);
  return best;
}

// Four points far from being in a plane, or the reason why there are none.
std::string start_of(std::span<const Vec<3>> points, double extent, std::array<std::int32_t, 4>& start) {
  const double least = coarseness[0] * extent;
  start[0] = farthest(points, [&](const Vec<3>& x) { return -x[0]; });
  const Vec<3> a = points[index(start[0])];
  start[1] = farthest(points, [&](const Vec<3>& x) { return norm(x - a); });
  const Vec<3> along = normalized(points[index(start[1])] - a);
  const auto from_line = [&](const Vec<3>& x) { return norm(cross(along, x - a)); };
  start[2] = farthest(points, from_line);
  if (!(from_line(points[index(start[2])]) > least)) return "all its vertices lie in a line";
  const Vec<3> across = normalized(cross(along, points[index(start[2])] - a));
  const auto from_plane = [&](const Vec<3>& x) { return std::abs(dot(across, x - a)); };
  start[3] = farthest(points, from_plane);
  if (!(from_plane(points[index(start[3])]) > least)) return "all its vertices lie in a plane";
  return "";
}

// Points looked up by where they lie: those within a distance of another are in the cell of its width around that, or beside it.
class Cells {
 public:
  explicit Cells(double width) : per_length_(1.0 / width) {}
  void add(const Vec<3>& x) { points_[key(x, {0.0, 0.0, 0.0})].push_back(x); }
  bool any_within(double distance, const Vec<3>& x) const {
    for (double i = -1.0; i <= 1.0; ++i)
      for (double j = -1.0; j <= 1.0; ++j)
        for (double k = -1.0; k <= 1.0; ++k)
          if (const auto found = points_.find(key(x, {i, j, k})); found != points_.end())
            for (const Vec<3>& y : found->second)
              if (norm(y - x) <= distance) return true;
    return false;
  }

 private:
  // Of several cells the same, at times: what is found there is looked at.
  std::uint64_t key(const Vec<3>& x, const std::array<double, 3>& beside) const {
    std::uint64_t hash = 0;
    for (int d = 0; d < 3; ++d) {
      const double cell = std::floor(x[d] * per_length_) + beside[static_cast<std::size_t>(d)];
      hash = (hash ^ std::bit_cast<std::uint64_t>(cell + 0.0)) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 29;
    }
    return hash;
  }
  double per_length_;
  std::unordered_map<std::uint64_t, std::vector<Vec<3>>> points_;
};

// The vertices of the surface, without those that are within `least` of an earlier one.
std::vector<Vec<3>> distinct_vertices(std::span<const Vec<3>> points, const std::vector<HullTriangle>& triangles, double least) {
  std::vector<char> used(points.size(), 0);
  for (const HullTriangle& t : triangles)
    for (const std::int32_t v : t.vertices) used[index(v)] = 1;
  std::vector<Vec<3>> kept;
  Cells cells(2.0 * least);  // far from the origin a cell of just the distance would be lost to rounding before it is
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!used[i] || cells.any_within(least, points[i])) continue;
    kept.push_back(points[i]), cells.add(points[i]);
  }
  return kept;
}

// Face number of each triangle: grown from the largest triangle over neighbours within `tolerance` of its plane.
std::vector<std::int32_t> merged(const std::vector<Vec<3>>& x, const std::vector<HullTriangle>& triangles, double tolerance) {
  std::vector<Vec<3>> area;
  for (const HullTriangle& t : triangles)
    area.push_back(cross(x[index(t.vertices[1])] - x[index(t.vertices[0])], x[index(t.vertices[2])] - x[index(t.vertices[0])]));
  std::vector<std::int32_t> order(triangles.size()), face(triangles.size(), -1);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return norm(area[index(a)]) > norm(area[index(b)]); });
  std::int32_t count = 0;
  std::vector<std::int32_t> reached;
  for (const std::int32_t seed : order) {
    if (face[index(seed)] >= 0) continue;
    const Vec<3> normal = normalized(area[index(seed)]), origin = x[index(triangles[index(seed)].vertices[0])];
    reached = {seed};
    face[index(seed)] = count;
    for (std::size_t r = 0; r < reached.size(); ++r)
      for (const std::int32_t t : triangles[index(reached[r])].neighbours) {
        const auto& v = triangles[index(t)].vertices;
        const bool inside = std::all_of(v.begin(), v.end(),
                                        [&](std::int32_t i) { return std::abs(dot(normal, x[index(i)] - origin)) <= tolerance; });
        if (face[index(t)] >= 0 || !inside) continue;
        face[index(t)] = count;
        reached.push_back(t);
      }
    ++count;
  }
  return face;
}

// The border of each face as one loop; vertices that fewer than three faces share (inside a face or an edge) are left out. False
// when a border is not one loop, which happens only when the tolerance of the merging is at the edge of some feature.
bool face_loops(const std::vector<HullTriangle>& triangles, const std::vector<std::int32_t>& face, std::size_t vertices,
                std::vector<std::vector<std::int32_t>>& loops) {
  const auto faces = index(*std::max_element(face.begin(), face.end()) + 1);
  std::vector<std::map<std::int32_t, std::int32_t>> next(faces);
  std::vector<std::int32_t> shared(vertices, 0);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      if (face[t] == face[index(triangles[t].neighbours[i])]) continue;
      const std::int32_t tail = triangles[t].vertices[i];
      if (!next[index(face[t])].emplace(tail, triangles[t].vertices[(i + 1) % 3]).second) return false;
      ++shared[index(tail)];
    }
  loops.assign(faces, {});
  for (std::size_t f = 0; f < faces; ++f) {
    const std::int32_t first = next[f].begin()->first;
    std::size_t length = 0;
    for (std::int32_t v = first; length == 0 || v != first; v = next[f].at(v), ++length)
      if (shared[index(v)] >= 3) loops[f].push_back(v);
    if (length != next[f].size() || loops[f].size() < 3) return false;
  }
  return true;
}

PolyhedronFace face_of(const std::vector<Vec<3>>& x, const std::vector<std::int32_t>& loop) {
  PolyhedronFace face;
  face.vertices = loop;
  Vec<3> area{};
  for (std::size_t i = 0; i < loop.size(); ++i) {  // Newell: the mean plane
    const Vec<3> a = x[index(loop[i])] - x[index(loop[0])], b = x[index(loop[(i + 1) % loop.size()])] - x[index(loop[0])];
    area += cross(a, b);
  }
  face.normal = normalized(area);
  face.offset = -HUGE_VAL;
  for (const std::int32_t v : loop) face.offset = std::max(face.offset, dot(face.normal, x[index(v)]));
  return face;
}

// Faces and edges from the loops, with unused vertices removed. False when two loops do not meet along an edge.
bool assemble(const std::vector<Vec<3>>& x, const std::vector<std::vector<std::int32_t>>& loops, ConvexPart<3>& part) {
  part.vertices.clear();
  part.topology = {};
  std::vector<std::int32_t> number(x.size(), -1);
  for (const auto& loop : loops)
    for (const std::int32_t v : loop) number[index(v)] = 0;
  for (std::size_t v = 0; v < x.size(); ++v)
    if (number[v] == 0) number[v] = static_cast<std::int32_t>(part.vertices.size()), part.vertices.push_back(x[v]);
  std::map<std::array<std::int32_t, 2>, std::int32_t> left_face;  // of a directed edge
  for (const auto& loop : loops) {
    std::vector<std::int32_t> renamed;
    for (const std::int32_t v : loop) renamed.push_back(number[index(v)]);
    const auto f = static_cast<std::int32_t>(part.topology.faces.size());
    for (std::size_t i = 0; i < renamed.size(); ++i)
      if (!left_face.emplace(std::array{renamed[i], renamed[(i + 1) % renamed.size()]}, f).second) return false;
    part.topology.faces.push_back(face_of(part.vertices, renamed));
  }
  for (const auto& [edge, face] : left_face) {
    const auto other = left_face.find({edge[1], edge[0]});
    if (other == left_face.end()) return false;
    if (edge[0] < edge[1]) part.topology.edges.push_back({edge, {face, other->second}});
  }
  return part.vertices.size() + part.topology.faces.size() == part.topology.edges.size() + 2;  // Euler
}

// Every point lies below every face, and every corner of a face in its plane.
bool encloses(const ConvexPart<3>& part, std::span<const Vec<3>> points, double tolerance) {
  for (const PolyhedronFace& face : part.topology.faces) {
    if (!is_finite(face.normal)) return false;
    for (const Vec<3>& x : points)
      if (dot(face.normal, x) > face.offset + tolerance) return false;
    for (const std::int32_t v : face.vertices)
      if (dot(face.normal, part.vertices[index(v)]) < face.offset - tolerance) return false;
  }
  return true;
}

// Hull, faces, and again without the vertices that turned out to lie inside a face or an edge, until none does.
bool build(std::span<const Vec<3>> points, const Extent& extent, const std::vector<HullTriangle>& surface, double tolerance,
           ConvexPart<3>& part) {
  std::vector<Vec<3>> x = distinct_vertices(points, surface, tolerance);
  std::vector<std::vector<std::int32_t>> loops;
  std::array<std::int32_t, 4> start{};
  for (;;) {
    if (x.size() < 4 || !start_of(x, extent.largest, start).empty()) return false;
    const std::vector<HullTriangle> triangles = hull_triangles(on_grid(x, extent), start);
    if (!face_loops(triangles, merged(x, triangles, tolerance), x.size(), loops) || !assemble(x, loops, part)) return false;
    if (x.size() == part.vertices.size() && x.size() > most_vertices) return true;  // and too many
    if (part.vertices.size() == x.size()) return encloses(part, points, 4.0 * tolerance);
    x = part.vertices;
  }
}

}  // namespace

template <>
HullResult<3> convex_hull<3>(std::span<const Vec<3>> points, double radius) {
  HullResult<3> result;
  const auto refuse = [&](std::string fault) {
    result.fault = std::move(fault);
    return result;
  };
  if (points.size() < 4)
    return refuse("it has " + std::to_string(points.size()) + " vertices, and a polyhedron needs at least 4");
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!is_finite(points[i])) return refuse("its vertex " + std::to_string(i + 1) + " is not finite");
  if (!std::isfinite(radius) || radius < 0.0) return refuse("the radius of its rounding is negative or not finite");
  const Extent extent = extent_of(points);
  if (extent.largest == 0.0) return refuse("all its vertices are the same point");
  if (!std::isfinite(extent.largest)) return refuse("its extent is not finite");
  const double away = std::max(norm(extent.low), norm(extent.high));
  if (!(extent.largest > 1e-9 * away))
    return refuse("its extent is below 1e-9 of its distance to the origin, so that its form is lost to rounding");
  if (!(extent.largest * extent.largest * extent.largest > 1e-290))
    return refuse("its extent is too small for its volume to be a number");

  std::array<std::int32_t, 4> start{};
  if (std::string fault = start_of(points, extent.largest, start); !fault.empty()) return refuse(std::move(fault));
  const std::vector<HullTriangle> surface = hull_triangles(on_grid(points, extent), start);
  bool built = false;
  for (const double relative : coarseness)
    if (!built) built = build(points, extent, surface, relative * extent.largest, result.part);
  if (!built) return refuse("its faces cannot be told apart: some are thinner than 1e-9 of its extent");
  if (result.part.vertices.size() > most_vertices)
    return refuse("its hull has more than " + std::to_string(most_vertices) + " vertices");
  for (const PolyhedronFace& face : result.part.topology.faces)
    if (face.vertices.size() > most_corners)
      return refuse("one of its faces has more than " + std::to_string(most_corners) + " corners");
  result.part.radius = radius;
  const EnclosingBall<3> ball = enclosing_ball<3>(result.part.vertices);
  result.part.centre = ball.centre;
  result.part.reach = ball.radius + radius;
  return result;
}

}  // namespace moreau::inline geometry
