#include "moreau/store/surface.hpp"

#include <algorithm>
#include <numbers>

namespace moreau::inline store {
namespace {

using Polygon = std::vector<Vec<3>>;

constexpr double turn = 2.0 * std::numbers::pi;

int chords(double angle, int steps) { return std::max(1, static_cast<int>(std::ceil(angle / turn * steps - 1e-9))); }

Vec<2> direction(double angle) { return {{std::cos(angle), std::sin(angle)}}; }

// The unit vectors from `from` to `to` on the great circle through them, ends included.
std::vector<Vec<3>> arc(const Vec<3>& from, const Vec<3>& to, int steps) {
  const double angle = std::acos(std::clamp(dot(from, to), -1.0, 1.0));
  const int n = chords(angle, steps);
  std::vector<Vec<3>> result{from};
  for (int k = 1; k < n; ++k) {
    const double t = angle * k / n;
    result.push_back((1.0 / std::sin(angle)) * (std::sin(angle - t) * from + std::sin(t) * to));
  }
  result.push_back(to);
  return result;
}

// Turned so that its normal points the way of `outwards`.
Polygon facing(Polygon polygon, const Vec<3>& outwards) {
  if (dot(normal_of(polygon), outwards) < 0.0) std::reverse(polygon.begin(), polygon.end());
  return polygon;
}

// Faces moved outwards by the radius, strips of cylinders along the edges, a fan of triangles about each corner.
std::vector<Polygon> rounded_polyhedron(const ConvexPart<3>& part, int steps) {
  std::vector<Polygon> result;
  std::vector<Vec<3>> middle(part.vertices.size());  // of the normals that meet in a corner
  for (const PolyhedronFace& face : part.topology.faces) {
    Polygon polygon;
    for (const std::int32_t v : face.vertices) {
      polygon.push_back(part.vertices[static_cast<std::size_t>(v)] + part.radius * face.normal);
      middle[static_cast<std::size_t>(v)] += face.normal;
    }
    result.push_back(std::move(polygon));
  }
  if (!(part.radius > 0.0)) return result;
  for (const PolyhedronEdge& edge : part.topology.edges) {
    const auto& faces = part.topology.faces;
    const auto directions =
        arc(faces[static_cast<std::size_t>(edge.faces[0])].normal, faces[static_cast<std::size_t>(edge.faces[1])].normal, steps);
    const std::size_t v[2] = {static_cast<std::size_t>(edge.vertices[0]), static_cast<std::size_t>(edge.vertices[1])};
    const auto point = [&](int end, const Vec<3>& d) { return part.vertices[v[end]] + part.radius * d; };
    for (std::size_t k = 0; k + 1 < directions.size(); ++k) {
      const Vec<3>&from = directions[k], to = directions[k + 1];
      result.push_back(facing({point(0, from), point(1, from), point(1, to), point(0, to)}, from + to));
      for (int end = 0; end < 2; ++end) {
        const Vec<3> top = normalized(middle[v[end]]);
        result.push_back(facing({point(end, top), point(end, from), point(end, to)}, from + to + top));
      }
    }
  }
  return result;
}

// Ball and capsule: each direction of a net over the sphere leads to the point of the surface that is farthest that way.
std::vector<Polygon> round_surface(const ConvexPart<3>& part, int steps) {
  const int n = std::max(1, steps / 4);  // chords from pole to equator
  const auto farthest = [&](int a, int b, int c) {
    const auto angle = [n](int k) { return std::sin(0.25 * turn * k / n); };
    const Vec<3> d = normalized(Vec<3>{{angle(a), angle(b), angle(c)}});
    const auto further = [&](const Vec<3>& p, const Vec<3>& q) { return dot(p, d) < dot(q, d); };
    return *std::max_element(part.vertices.begin(), part.vertices.end(), further) + part.radius * d;
  };
  std::vector<Polygon> result;
  for (int octant = 0; octant < 8; ++octant) {
    const int x = octant & 1 ? -1 : 1, y = octant & 2 ? -1 : 1, z = octant & 4 ? -1 : 1;
    const auto add = [&](std::array<int, 2> p, std::array<int, 2> q, std::array<int, 2> r) {
      const auto at = [&](std::array<int, 2> s) { return farthest(x * s[0], y * s[1], z * (n - s[0] - s[1])); };
      Polygon triangle{at(p), at(q), at(r)};
      if (x * y * z < 0) std::reverse(triangle.begin(), triangle.end());
      result.push_back(std::move(triangle));
    };
    for (int i = 0; i < n; ++i)
      for (int j = 0; i + j < n; ++j) {
        add({i, j}, {i + 1, j}, {i, j + 1});
        if (i + j + 1 < n) add({i + 1, j}, {i + 1, j + 1}, {i, j + 1});
      }
  }
  return result;
}

}  // namespace

template <>
std::vector<std::vector<Vec<2>>> surface_of(const ConvexPart<2>& part, const Pose<2>& at, int steps) {
  const std::size_t n = part.vertices.size();
  std::vector<Vec<2>> outline;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec<2>& here = part.vertices[i];
    if (!(part.radius > 0.0)) {
      outline.push_back(at.place(here));
      continue;
    }
    // From the normal of the edge that arrives to that of the edge that leaves; around a single vertex, a full turn.
    double first = 0.0, angle = turn;
    if (n > 1) {
      const Vec<2> in = here - part.vertices[(i + n - 1) % n], out = part.vertices[(i + 1) % n] - here;
      first = std::atan2(-in[0], in[1]);
      angle = std::remainder(std::atan2(-out[0], out[1]) - first, turn);
      if (n == 2) angle = 0.5 * turn;  // the end of a capsule: rounding must not turn it inside out
    }
    const int count = chords(angle, steps);
    for (int k = 0; k < count + (n > 1 ? 1 : 0); ++k)
      outline.push_back(at.place(here + part.radius * direction(first + angle * k / count)));
  }
  return {outline};
}

template <>
std::vector<Polygon> surface_of(const ConvexPart<3>& part, const Pose<3>& at, int steps) {
  std::vector<Polygon> polygons = part.topology.faces.empty() ? round_surface(part, steps) : rounded_polyhedron(part, steps);
  for (Polygon& polygon : polygons)
    for (Vec<3>& corner : polygon) corner = at.place(corner);
  return polygons;
}

Vec<3> normal_of(const std::vector<Vec<3>>& polygon) {
  Vec<3> sum{};
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) sum += cross(polygon[i] - polygon[0], polygon[i + 1] - polygon[0]);
  const double size = norm(sum);
  return size > 0.0 ? (1.0 / size) * sum : sum;
}

}  // namespace moreau::inline store
