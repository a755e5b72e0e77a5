// Contacts found by looking at every pair and every wall, without neighbour lists.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "moreau/base/random.hpp"
#include "moreau/contact/detect.hpp"

namespace moreau::brute_force {

using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

template <int D>
struct Scene {
  Bodies<D> bodies;
  std::vector<Wall<D>> walls;
  std::vector<Vec<D>> wall_shift, wall_velocity;

  void add(Vec<D> x, double radius, Vec<D> v = {}, BodyKind kind = BodyKind::free) {
    NewBody<D> b;
    b.position = x, b.radius = radius, b.mass = b.inertia = 1.0, b.velocity = v, b.kind = kind;
    bodies.append(b);
  }
  void add(const WallGeometry<D>& geometry) {
    walls.push_back({"", geometry, 0, -1});
    wall_shift.push_back({}), wall_velocity.push_back({});
  }
};

// Gap and approach speed of a candidate; b < 0 is a wall.
template <int D>
std::pair<double, double> gap_and_approach(const Scene<D>& s, const std::vector<Vec<D>>& x, std::size_t a, std::int32_t b) {
  const auto& r = s.bodies.parameters.radius;
  const auto& v = s.bodies.state.velocity;
  if (is_wall(b)) {
    const std::size_t w = static_cast<std::size_t>(wall_index(b));
    const auto sep = separation(s.walls[w].geometry, s.wall_shift[w], x[a], r[a]);
    return {sep.gap, -dot(v[a] - s.wall_velocity[w], sep.normal)};
  }
  const std::size_t j = static_cast<std::size_t>(b);
  const Vec<D> apart = x[a] - x[j];
  return {norm(apart) - r[a] - r[j], -dot(v[a] - v[j], apart) / norm(apart)};
}

// All contacts in table order: by a, then b; walls are negative.
template <int D>
Pairs contacts(const Scene<D>& s, const std::vector<Vec<D>>& x, LookAhead ahead) {
  Pairs found;
  const std::int32_t n = static_cast<std::int32_t>(s.bodies.size()), w = static_cast<std::int32_t>(s.walls.size());
  const auto kind_free = [&](std::int32_t i) { return s.bodies.is_free(static_cast<std::size_t>(i)); };
  for (std::int32_t a = 0; a < n; ++a)
    for (std::int32_t b = -w; b < n && kind_free(a); ++b) {
      if (b == a || (b >= 0 && b < a && kind_free(b))) continue;
      const auto [gap, approach] = gap_and_approach(s, x, static_cast<std::size_t>(a), b);
      if (gap <= ahead.distance + ahead.time * std::max(0.0, approach)) found.push_back({a, b});
    }
  return found;
}

// The library's way: lists, then the contacts among them.
template <int D>
struct Search {
  Neighbours<D> neighbours;
  Detector<D> detector;
  ContactTable<D> previous;
  int rebuilds = 0;

  Pairs operator()(const Scene<D>& s, const std::vector<Vec<D>>& x, double h, LookAhead ahead) {
    rebuilds += neighbours.update(s.bodies, x, {s.walls, s.wall_shift, s.wall_velocity}, h, ahead);
    detector.detect(s.bodies, x, {}, {s.walls, s.wall_shift, s.wall_velocity}, neighbours, ahead, previous);
    Pairs p;
    for (const FoundContact& c : detector.found) p.push_back({c.a, c.b});
    return p;
  }
};

template <int D>
Vec<D> random_vector(RandomStream& random, double size) {
  Vec<D> v;
  for (int d = 0; d < D; ++d) v[d] = random.uniform(-size, size);
  return v;
}

}  // namespace moreau::brute_force
