// What the tests of polyhedra share: simple bodies, random ones, and slow independent answers for distance and depth.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "moreau/base/random.hpp"
#include "moreau/geometry/manifold.hpp"
#include "moreau/geometry/mass_properties.hpp"

namespace moreau::oracle {

using Points = std::vector<Vec<3>>;

inline ConvexPart<3> hull(const Points& points, double radius = 0.0) {
  HullResult<3> result = convex_hull<3>(std::span<const Vec<3>>(points), radius);
  EXPECT_EQ(result.fault, "");
  return std::move(result.part);
}

inline Points box_points(double x, double y, double z) {
  Points p;
  for (const double i : {-x, x})
    for (const double j : {-y, y})
      for (const double k : {-z, z}) p.push_back({{i, j, k}});
  return p;
}
// Half-lengths.
inline ConvexPart<3> box(double x, double y, double z, double radius = 0.0) { return hull(box_points(x, y, z), radius); }

inline Points dodecahedron_points() {
  const double g = (1.0 + std::sqrt(5.0)) / 2.0, i = 1.0 / g;
  Points p = box_points(1.0, 1.0, 1.0);
  for (const double s : {-1.0, 1.0})
    for (const double t : {-1.0, 1.0}) {
      p.push_back({{0.0, s * i, t * g}});
      p.push_back({{s * i, t * g, 0.0}});
      p.push_back({{s * g, 0.0, t * i}});
    }
  return p;
}

inline Vec<3> random_vector(RandomStream& random, double extent) {
  return {{random.uniform(-extent, extent), random.uniform(-extent, extent), random.uniform(-extent, extent)}};
}
inline Vec<3> random_direction(RandomStream& random) {
  for (;;) {
    const Vec<3> v = random_vector(random, 1.0);
    if (norm(v) > 0.1 && norm(v) < 1.0) return normalized(v);
  }
}
inline Rotation<3> random_rotation(RandomStream& random) {
  return turned(Rotation<3>{}, random_direction(random), random.uniform(0.0, 3.14));
}

// A random body: some points of a ball or of a box, a box, a prism, a dodecahedron, with or without rounding, a ball, a capsule.
inline ConvexPart<3> random_part(RandomStream& random, bool thin = true) {
  const double radius = random.uniform() < 0.5 ? 0.0 : random.uniform(0.01, 0.3);
  const int kind = static_cast<int>(random.uniform(0.0, thin ? 6.0 : 4.0));
  if (kind == 5) return ball_part<3>(random_vector(random, 0.2), random.uniform(0.1, 1.0));
  if (kind == 4) return capsule_part<3>(random_vector(random, 1.0), random_vector(random, 1.0), random.uniform(0.05, 0.5));
  if (kind == 3) return hull(dodecahedron_points(), radius);
  if (kind == 2) return box(random.uniform(0.2, 1.0), random.uniform(0.2, 1.0), random.uniform(0.2, 1.0), radius);
  Points p;
  const int count = static_cast<int>(random.uniform(4.0, 20.0));
  for (int i = 0; i < count; ++i)
    p.push_back(kind == 1 ? random.uniform(0.5, 1.0) * random_direction(random) : random_vector(random, 1.0));
  return hull(p, radius);
}

inline Pose<3> pose(const Vec<3>& position, const Rotation<3>& rotation = {}) { return {position, matrix_of(rotation)}; }

inline Points placed(const ConvexPart<3>& part, const Pose<3>& at) {
  Points p;
  for (const Vec<3>& x : part.vertices) p.push_back(at.place(x));
  return p;
}
inline double lowest(const Points& p, const Vec<3>& along) {
  double least = HUGE_VAL;
  for (const Vec<3>& x : p) least = std::min(least, dot(along, x));
  return least;
}
// Of two clouds of points along a unit vector from the second to the first.
inline double separation_along(const Points& a, const Points& b, const Vec<3>& normal) {
  return lowest(a, normal) + lowest(b, -normal);
}

inline double segment_distance(const Vec<3>& p, const Vec<3>& q, const Vec<3>& r, const Vec<3>& s) {
  const auto to_segment = [](const Vec<3>& x, const Vec<3>& from, const Vec<3>& to) {
    const Vec<3> side = to - from;
    const double length = dot(side, side), t = length > 0.0 ? std::clamp(dot(x - from, side) / length, 0.0, 1.0) : 0.0;
    return norm(x - from - t * side);
  };
  double least = std::min({to_segment(p, r, s), to_segment(q, r, s), to_segment(r, p, q), to_segment(s, p, q)});
  const Vec<3> u = q - p, v = s - r, w = p - r, across = cross(u, v);
  const double area = dot(across, across);
  if (area > 1e-18 * dot(u, u) * dot(v, v)) {
    const double i = -dot(cross(w, v), across) / area, j = -dot(cross(w, u), across) / area;
    if (i >= 0.0 && i <= 1.0 && j >= 0.0 && j <= 1.0) least = std::min(least, std::abs(dot(w, across)) / std::sqrt(area));
  }
  return least;
}

using Ends = std::vector<std::array<Vec<3>, 2>>;
inline Ends edges_of(const ConvexPart<3>& part, const Points& p) {
  Ends ends;
  for (const PolyhedronEdge& e : part.topology.edges)
    ends.push_back({p[static_cast<std::size_t>(e.vertices[0])], p[static_cast<std::size_t>(e.vertices[1])]});
  if (ends.empty()) ends.push_back({p.front(), p.back()});
  return ends;
}

inline double over_faces(const ConvexPart<3>& part, const Points& p, const Points& others) {
  double least = HUGE_VAL;
  for (const PolyhedronFace& face : part.topology.faces) {
    const auto at = [&](std::size_t i) { return p[static_cast<std::size_t>(face.vertices[i % face.vertices.size()])]; };
    const Vec<3> normal = normalized(cross(at(1) - at(0), at(2) - at(0)));
    for (const Vec<3>& x : others) {
      bool over = dot(normal, x - at(0)) > 0.0;
      for (std::size_t i = 0; i < face.vertices.size() && over; ++i)
        over = dot(cross(normal, at(i + 1) - at(i)), x - at(i)) >= 0.0;
      if (over) least = std::min(least, dot(normal, x - at(0)));
    }
  }
  return least;
}

// Distance of two cores that are apart, over all pairs of features.
inline double feature_distance(const ConvexPart<3>& a, const Points& at_a, const ConvexPart<3>& b, const Points& at_b) {
  double least = std::min(over_faces(a, at_a, at_b), over_faces(b, at_b, at_a));
  for (const auto& [p, q] : edges_of(a, at_a))
    for (const auto& [r, s] : edges_of(b, at_b)) least = std::min(least, segment_distance(p, q, r, s));
  return least;
}

// Largest separation over all face normals and all cross products of edges, both signs, nothing left out.
inline double best_separation(const ConvexPart<3>& a, const Points& at_a, const Pose<3>& pose_a, const ConvexPart<3>& b,
                              const Points& at_b, const Pose<3>& pose_b) {
  double best = -HUGE_VAL;
  for (const PolyhedronFace& f : a.topology.faces) best = std::max(best, separation_along(at_a, at_b, -pose_a.turn(f.normal)));
  for (const PolyhedronFace& f : b.topology.faces) best = std::max(best, separation_along(at_a, at_b, pose_b.turn(f.normal)));
  for (const auto& [p, q] : edges_of(a, at_a))
    for (const auto& [r, s] : edges_of(b, at_b)) {
      const Vec<3> across = cross(q - p, s - r);
      if (!(norm(across) > 1e-14 * norm(q - p) * norm(s - r))) continue;  // any direction gives a bound
      const Vec<3> normal = normalized(across);
      best = std::max({best, separation_along(at_a, at_b, normal), separation_along(at_a, at_b, -normal)});
    }
  return best;
}

// The least gap by the slow way.
inline double slow_gap(const ConvexPart<3>& a, const Pose<3>& pose_a, const ConvexPart<3>& b, const Pose<3>& pose_b) {
  const Points at_a = placed(a, pose_a), at_b = placed(b, pose_b);
  const bool thin = a.topology.faces.empty() && b.topology.faces.empty();
  const double axes = thin ? 1.0 : best_separation(a, at_a, pose_a, b, at_b, pose_b);
  return (axes > 0.0 ? feature_distance(a, at_a, b, at_b) : axes) - a.radius - b.radius;
}

inline Manifold<3> contact(const ConvexPart<3>& a, const Pose<3>& at_a, const ConvexPart<3>& b, const Pose<3>& at_b,
                           double margin) {
  Manifold<3> m;
  part_manifold<3>(a, at_a, b, at_b, margin, m);
  return m;
}
inline double least_gap(const Manifold<3>& m) {
  double least = HUGE_VAL;
  for (int i = 0; i < m.count; ++i) least = std::min(least, m.point[i].gap);
  return least;
}
inline bool has_point(const Manifold<3>& m, const Vec<3>& x, double tolerance = 1e-12) {
  return std::any_of(m.point, m.point + m.count, [&](const auto& p) { return norm(p.point - x) <= tolerance; });
}

}  // namespace moreau::oracle
