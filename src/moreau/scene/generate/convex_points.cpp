#include "moreau/scene/generate/convex_points.hpp"

#include <cmath>
#include <numbers>

#include "moreau/base/elementary.hpp"

namespace moreau::inline scene {

std::vector<Vec<2>> regular_polygon(int sides, double radius) {
  std::vector<Vec<2>> points;
  for (int k = 0; k < sides; ++k) {
    const double angle = std::numbers::pi * ((2.0 * k + 1.0) / sides - 0.5);
    points.push_back({{radius * cosine(angle), radius * sine(angle)}});
  }
  return points;
}

const std::vector<std::string>& regular_solids() {
  static const std::vector<std::string> names{"tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron"};
  return names;
}

std::vector<Vec<3>> regular_solid(std::size_t which, double radius) {
  std::vector<Vec<3>> points;
  const double golden = std::numbers::phi;
  // Even permutations of (0, +-a, +-b).
  const auto add_golden = [&](double a, double b) {
    for (const double s : {-1.0, 1.0})
      for (const double t : {-1.0, 1.0})
        for (int shift = 0; shift < 3; ++shift) {
          Vec<3> v{};
          v[(1 + shift) % 3] = s * a;
          v[(2 + shift) % 3] = t * b;
          points.push_back(v);
        }
  };
  const auto add_cube = [&](bool every_other) {
    for (int bits = 0; bits < 8; ++bits) {
      const Vec<3> v{{bits & 1 ? 1.0 : -1.0, bits & 2 ? 1.0 : -1.0, bits & 4 ? 1.0 : -1.0}};
      if (!every_other || v[0] * v[1] * v[2] > 0.0) points.push_back(v);
    }
  };
  if (which == 0) add_cube(true);
  if (which == 1) add_cube(false);
  if (which == 2)
    for (int i = 0; i < 6; ++i) {
      Vec<3> v{};
      v[i / 2] = i % 2 == 0 ? 1.0 : -1.0;
      points.push_back(v);
    }
  if (which == 3) {
    add_cube(false);
    add_golden(1.0 / golden, golden);
  }
  if (which == 4) add_golden(1.0, golden);
  for (auto& v : points) v = (radius / norm(v)) * v;
  return points;
}

template <int D>
std::vector<Vec<D>> random_convex_points(std::size_t count, const Vec<D>& aspect, RandomStream& random) {
  // Half the spacing of evenly spread points on the circle; on the sphere, caps that cover 0.3 of it.
  const double n = static_cast<double>(count);
  double apart = D == 2 ? 3.0 / n : std::sqrt(4.8 / n);
  std::vector<Vec<D>> points;
  for (int failures = 0; points.size() < count;) {
    const Vec<D> candidate = random_direction<D>(random);
    bool clear = true;
    for (const auto& p : points) clear = clear && norm(p - candidate) >= apart;
    if (clear) {
      points.push_back(candidate);
      failures = 0;
    } else if (++failures == 200) {  // too crowded by bad luck
      apart *= 0.9;
      failures = 0;
    }
  }
  for (auto& p : points)
    for (int i = 0; i < D; ++i) p[i] *= aspect[i];
  return points;
}

template std::vector<Vec<2>> random_convex_points<2>(std::size_t, const Vec<2>&, RandomStream&);
template std::vector<Vec<3>> random_convex_points<3>(std::size_t, const Vec<3>&, RandomStream&);

}  // namespace moreau::inline scene
