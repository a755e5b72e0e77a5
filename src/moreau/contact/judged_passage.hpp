// judge_passage (passage.hpp) over parts on the processor and on a graphics card, for which there is a part_manifold() each.
#pragma once

#include <algorithm>
#include <cmath>

#include "moreau/contact/passage.hpp"

namespace moreau::inline contact {
namespace passing {

inline constexpr double same_direction = 1e-6;  // of normals: 1 - cosine

template <int D>
MOREAU_BOTH double least_gap(const Manifold<D>& manifold) {
  double least = HUGE_VAL;
  for (int k = 0; k < manifold.count; ++k) least = std::min(least, manifold.point[k].gap);
  return least;
}

template <int D>
MOREAU_BOTH Pose<D> after(const Mover<D>& body, double time, const Vec<D>& fall) {
  const bool turns = dot(body.spin, body.spin) > 0.0;
  return {body.now.position + time * body.velocity + fall,
          turns ? matrix_of(turned(body.orientation, body.spin, time)) : body.now.rotation};
}

template <int D>
MOREAU_BOTH Vec<D> velocity_at(const Mover<D>& body, const Vec<D>& point) {
  return body.velocity + cross(body.spin, point - body.now.position);
}
// Of a relative to b at a point, with the velocities of now.
template <int D>
MOREAU_BOTH Vec<D> displacement(const Passage<D>& passage, const Vec<D>& point) {
  return passage.time * (velocity_at(passage.a, point) - velocity_at(passage.b, point));
}

// Of the parts along n, which points towards a; the least over the vertices of a, the greatest over those of b.
template <class Part, int D>
MOREAU_BOTH double separation_along(const Part& a, const Pose<D>& at_a, const Part& b, const Pose<D>& at_b, const Vec<D>& n) {
  double nearest_a = HUGE_VAL, nearest_b = -HUGE_VAL;
  for (const Vec<D>& v : a.vertices) nearest_a = std::min(nearest_a, dot(n, at_a.place(v)));
  for (const Vec<D>& v : b.vertices) nearest_b = std::max(nearest_b, dot(n, at_b.place(v)));
  return nearest_a - nearest_b - a.radius - b.radius;
}

// Whether the rule of the step would be felt at some point if a moved so much farther relative to b.
template <int D>
MOREAU_BOTH bool is_felt(const Passage<D>& passage, const Manifold<D>& manifold, const Vec<D>& further) {
  for (int k = 0; k < manifold.count; ++k) {
    const ManifoldPoint<D>& p = manifold.point[k];
    const double gap = passage.is_predictive ? p.gap : std::min(p.gap, 0.0);
    if (gap + dot(p.normal, displacement(passage, p.point) + further) < -passage.slack) return true;
  }
  return false;
}

}  // namespace passing

template <class Part, int D>
MOREAU_BOTH void judge_passage_of(const Part& a, const Part& b, const Passage<D>& passage, Manifold<D>& manifold) {
  using namespace passing;
  const double gap = least_gap(manifold);
  if (manifold.count == 0 || gap < -passage.slack || (manifold.count >= D && gap <= passage.slack)) return;
  Manifold<D> met;
  const auto meets = [&](const Vec<D>& fall_a, const Vec<D>& fall_b) {
    part_manifold(a, after(passage.a, passage.time, fall_a), b, after(passage.b, passage.time, fall_b), 0.0, met);
    return met.count > 0 && least_gap(met) < -2.0 * passage.slack;
  };
  if (is_felt(passage, manifold, Vec<D>{})) {
    if (!meets({}, {})) {
      manifold.count = 0;
      return;
    }
    const Vec<D> normal = met.point[0].normal;
    if (dot(normal, manifold.point[0].normal) > 1.0 - same_direction) return;
    if (separation_along(a, passage.a.now, b, passage.b.now, normal) < -passage.slack) return;
    for (int k = 0; k < met.count; ++k) {
      ManifoldPoint<D>& p = met.point[k];
      p.point -= 0.5 * passage.time * (velocity_at(passage.a, p.point) + velocity_at(passage.b, p.point));
      p.gap -= dot(normal, displacement(passage, p.point));
    }
    manifold = met;
    return;
  }
  if (a.vertices.size() == 1 || b.vertices.size() == 1) return;  // balls do not stand on corners by chance
  // Each falls while the other stays, since what holds the other up may not hold this one.
  if ((is_felt(passage, manifold, passage.a.fall) && !meets(passage.a.fall, {})) ||
      (is_felt(passage, manifold, -passage.b.fall) && !meets({}, passage.b.fall)))
    manifold.count = 0;
}

}  // namespace moreau::inline contact
