// Distance of the cores of two convex parts in space, by the algorithm of Gilbert, Johnson and Keerthi (1988): the point of the
// Minkowski difference nearest to the origin, over simplices of at most four of its vertices.
#pragma once

#include "moreau/geometry/polyhedron_relative.hpp"

namespace moreau::inline geometry {

struct CoreDistance {
  double distance;   // zero when the cores overlap
  Vec<3> direction;  // unit, from the first to the second; meaningless when the distance is zero
  Vec<3> on_first;   // nearest points, in the frame of the first; of overlapping cores a point of both
  Vec<3> on_second;
  bool beyond = false;  // the distance is larger than the limit: nothing else is set
};

namespace simplices {

// A vertex of the Minkowski difference b - a and the vertices it comes from.
struct Corner {
  Vec<3> difference;
  std::int32_t a, b;
};

// Some corners and the weights with which they make the point nearest to the origin.
struct Simplex {
  Corner corner[4];
  double weight[4];
  int count = 0;
  double squared = HUGE_VAL;  // distance of that point

  MOREAU_BOTH Vec<3> nearest() const {
    Vec<3> v = weight[0] * corner[0].difference;
    for (int i = 1; i < count; ++i) v += weight[i] * corner[i].difference;
    return v;
  }
  MOREAU_BOTH void close() {
    const Vec<3> v = nearest();
    squared = dot(v, v);
  }
};

MOREAU_BOTH inline void take_nearer(Simplex& best, const Simplex& other) {
  if (other.squared < best.squared) best = other;
}

MOREAU_BOTH inline Simplex on_point(const Corner& a) {
  Simplex s{{a}, {1.0}, 1};
  s.close();
  return s;
}

MOREAU_BOTH inline Simplex on_segment(const Corner& a, const Corner& b) {
  const Vec<3> side = b.difference - a.difference;
  const double length = dot(side, side), along = -dot(a.difference, side);
  if (!(along > 0.0)) return on_point(a);
  if (!(along < length)) return on_point(b);
  const double t = along / length;
  Simplex s{{a, b}, {1.0 - t, t}, 2};
  s.close();
  return s;
}

MOREAU_BOTH inline Simplex on_triangle(const Corner& a, const Corner& b, const Corner& c) {
  const Vec<3> ab = b.difference - a.difference, ac = c.difference - a.difference, normal = cross(ab, ac);
  const double area = dot(normal, normal);
  const double of_a = dot(cross(b.difference, c.difference), normal), of_b = dot(cross(c.difference, a.difference), normal),
               of_c = dot(cross(a.difference, b.difference), normal);
  if (area > 0.0 && of_a > 0.0 && of_b > 0.0 && of_c > 0.0) {
    const double sum = of_a + of_b + of_c;
    Simplex s{{a, b, c}, {of_a / sum, of_b / sum, of_c / sum}, 3};
    s.close();
    return s;
  }
  Simplex best = on_segment(a, b);
  take_nearer(best, on_segment(b, c));
  take_nearer(best, on_segment(c, a));
  return best;
}

// The newest corner is the last; the others alone cannot be nearer than what was found before, but rounding may say otherwise, so
// that all four faces are asked. The origin inside: distance zero.
MOREAU_BOTH inline Simplex on_tetrahedron(const Corner* c) {
  const auto volume = [](const Vec<3>& p, const Vec<3>& q, const Vec<3>& r) { return dot(p, cross(q, r)); };
  const Vec<3>&p = c[0].difference, &q = c[1].difference, &r = c[2].difference, &s = c[3].difference;
  const double whole = volume(q - p, r - p, s - p);
  const double v0 = volume(q, r, s) / whole, v1 = -volume(p, r, s) / whole, v2 = volume(p, q, s) / whole,
               v3 = -volume(p, q, r) / whole;
  if (v0 > 0.0 && v1 > 0.0 && v2 > 0.0 && v3 > 0.0) {
    Simplex inside{{c[0], c[1], c[2], c[3]}, {v0, v1, v2, v3}, 4};
    inside.squared = 0.0;
    return inside;
  }
  Simplex best = on_triangle(c[0], c[1], c[3]);
  take_nearer(best, on_triangle(c[1], c[2], c[3]));
  take_nearer(best, on_triangle(c[2], c[0], c[3]));
  take_nearer(best, on_triangle(c[0], c[1], c[2]));
  return best;
}

MOREAU_BOTH inline Simplex with(const Simplex& s, const Corner& fresh) {
  switch (s.count) {
    case 1:
      return on_segment(s.corner[0], fresh);
    case 2:
      return on_triangle(s.corner[0], s.corner[1], fresh);
    default:
      const Corner all[4] = {s.corner[0], s.corner[1], s.corner[2], fresh};
      return on_tetrahedron(all);
  }
}

}  // namespace simplices

// Finite: every step takes a new simplex that is nearer. The distance is exact up to rounding (some 1e-15 of the size of the
// parts); where features tie within 1e-7 of the size, a step may be too small to be seen, and the distance 1e-8 too large.
template <class Part>
MOREAU_CALLED CoreDistance core_distance(const Part& a, const Part& b, const RelativePose& b_to_a, Vec<3> direction, double limit) {
  using namespace simplices;
  const auto corner_along = [&](const Vec<3>& d) {  // of the difference b - a, farthest against d
    const std::int32_t i = support(a, d).vertex, j = support(b, -b_to_a.turn_back(d)).vertex;
    return Corner{b_to_a.place(vertex_of(b, j)) - vertex_of(a, i), i, j};
  };
  Simplex simplex = on_point(corner_along(direction));
  for (int step = 0; step < 100 && simplex.count < 4 && simplex.squared > 0.0; ++step) {
    const Vec<3> v = simplex.nearest();
    const Corner fresh = corner_along(v);
    bool known = false;
    for (int i = 0; i < simplex.count; ++i) known |= fresh.a == simplex.corner[i].a && fresh.b == simplex.corner[i].b;
    const double bound = dot(v, fresh.difference);  // the distance is at least bound / |v|
    if (bound > 0.0 && bound * bound > limit * limit * simplex.squared) return {0.0, {}, {}, {}, true};
    if (known || simplex.squared - bound <= 1e-15 * simplex.squared) break;
    const Simplex next = with(simplex, fresh);
    if (!(next.squared < simplex.squared)) break;
    simplex = next;
  }
  CoreDistance result{std::sqrt(simplex.squared), {}, {}, {}};
  if (result.distance > 0.0) result.direction = (1.0 / result.distance) * simplex.nearest();
  for (int i = 0; i < simplex.count; ++i) {
    result.on_first += simplex.weight[i] * vertex_of(a, simplex.corner[i].a);
    result.on_second += simplex.weight[i] * b_to_a.place(vertex_of(b, simplex.corner[i].b));
  }
  return result;
}

}  // namespace moreau::inline geometry
