// Random convex parts and poses of the plane, and a slow second way to their signed distance, for the tests of polygon contacts.
#pragma once

#include <algorithm>
#include <numbers>
#include <vector>

#include "moreau/base/random.hpp"
#include "moreau/geometry/manifold.hpp"
#include "moreau/geometry/mass_properties.hpp"

namespace moreau::test {

inline Pose<2> pose(double x, double y, double angle = 0.0) { return {{{x, y}}, matrix_of(Rotation<2>{angle})}; }

inline ConvexPart<2> polygon(const std::vector<Vec<2>>& corners, double radius = 0.0) {
  return convex_hull<2>(corners, radius).part;
}
inline ConvexPart<2> box(double half_width, double half_height, double radius = 0.0) {
  return polygon(
      {{{-half_width, -half_height}}, {{half_width, -half_height}}, {{half_width, half_height}}, {{-half_width, half_height}}},
      radius);
}

// Discs, capsules, polygons of 3 to 10 corners (flat to round), half of them rounded.
inline ConvexPart<2> random_part(RandomStream& random) {
  const double kind = random.uniform(), rounding = random.uniform() < 0.5 ? 0.0 : random.uniform(0.01, 0.5);
  const Vec<2> centre{{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)}};
  if (kind < 0.1) return ball_part<2>(centre, random.uniform(0.05, 1.0));
  const double width = random.uniform(0.2, 1.0), height = random.uniform(0.05, 1.0);
  if (kind < 0.2) return capsule_part<2>(centre, centre + Vec<2>{{width, height}}, random.uniform(0.02, 0.5));
  for (;;) {
    std::vector<Vec<2>> corners;
    const int count = 3 + static_cast<int>(8.0 * random.uniform());
    for (int i = 0; i < count; ++i) {
      const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
      corners.push_back(centre + Vec<2>{{width * std::cos(angle), height * std::sin(angle)}});
    }
    HullResult<2> hull = convex_hull<2>(corners, rounding);
    if (hull.fault.empty()) return hull.part;
  }
}
inline Pose<2> random_pose(RandomStream& random, double spread) {
  return pose(random.uniform(-spread, spread), random.uniform(-spread, spread), random.uniform(-4.0, 4.0));
}

inline std::vector<Vec<2>> placed(const ConvexPart<2>& part, const Pose<2>& at) {
  std::vector<Vec<2>> corners;
  for (const Vec<2>& x : part.vertices) corners.push_back(at.place(x));
  return corners;
}

inline double distance_to_segment(const Vec<2>& x, const Vec<2>& p, const Vec<2>& q) {
  const double length2 = dot(q - p, q - p), s = length2 > 0.0 ? std::clamp(dot(x - p, q - p) / length2, 0.0, 1.0) : 0.0;
  return norm(x - p - s * (q - p));
}

// Apart: the least distance over all pairs of corner and side. Overlapping: minus the least of the translations along the normals
// of all sides that part the two. Which of the two holds: whether some corner difference b - a, seen from the origin, leaves a
// half-plane free, that is, whether the origin lies outside the Minkowski difference (largest angle between neighbouring
// directions above pi).
inline double signed_distance(const ConvexPart<2>& part_a, const Pose<2>& at_a, const ConvexPart<2>& part_b,
                              const Pose<2>& at_b) {
  const std::vector<Vec<2>> a = placed(part_a, at_a), b = placed(part_b, at_b);
  std::vector<double> direction;
  for (const Vec<2>& x : a)
    for (const Vec<2>& y : b) direction.push_back(std::atan2((y - x)[1], (y - x)[0]));
  std::sort(direction.begin(), direction.end());
  double widest = direction.front() + 2.0 * std::numbers::pi - direction.back();
  for (std::size_t i = 0; i + 1 < direction.size(); ++i) widest = std::max(widest, direction[i + 1] - direction[i]);
  const double rounding = part_a.radius + part_b.radius;
  if (widest > std::numbers::pi) {
    double least = HUGE_VAL;
    for (const Vec<2>& x : a)
      for (std::size_t i = 0; i < b.size(); ++i) least = std::min(least, distance_to_segment(x, b[i], b[(i + 1) % b.size()]));
    for (const Vec<2>& y : b)
      for (std::size_t i = 0; i < a.size(); ++i) least = std::min(least, distance_to_segment(y, a[i], a[(i + 1) % a.size()]));
    return least - rounding;
  }
  double greatest = -HUGE_VAL;
  const auto try_side = [&](const std::vector<Vec<2>>& own, const std::vector<Vec<2>>& other, std::size_t i) {
    const Vec<2> side = normalized(own[(i + 1) % own.size()] - own[i]), normal{{side[1], -side[0]}};
    double least = HUGE_VAL;
    for (const Vec<2>& y : other) least = std::min(least, dot(normal, y - own[i]));
    greatest = std::max(greatest, least);
  };
  for (std::size_t i = 0; i < a.size() && a.size() > 1; ++i) try_side(a, b, i);
  for (std::size_t i = 0; i < b.size() && b.size() > 1; ++i) try_side(b, a, i);
  return greatest - rounding;
}

inline double least_gap(const Manifold<2>& m) {
  double least = HUGE_VAL;
  for (int k = 0; k < m.count; ++k) least = std::min(least, m.point[k].gap);
  return least;
}

inline Manifold<2> contacts(const ConvexPart<2>& a, const Pose<2>& at_a, const ConvexPart<2>& b, const Pose<2>& at_b,
                            double margin) {
  Manifold<2> m;
  part_manifold<2>(a, at_a, b, at_b, margin, m);
  return m;
}

}  // namespace moreau::test
