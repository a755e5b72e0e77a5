// A slow judge of contacts of convex parts in the plane, for parts that share corners and sides exactly or to rounding. It works
// with long double on the placed corners, asks all sides and all corners, and shares no code with what it judges.
#pragma once

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "moreau/geometry/manifold.hpp"

namespace moreau::test {

using Real = long double;
struct Point {
  Real x, y;
  friend Point operator+(Point p, Point q) { return {p.x + q.x, p.y + q.y}; }
  friend Point operator-(Point p, Point q) { return {p.x - q.x, p.y - q.y}; }
  friend Point operator*(Real s, Point p) { return {s * p.x, s * p.y}; }
};
inline Real inner(Point p, Point q) { return p.x * q.x + p.y * q.y; }
inline Real outer(Point p, Point q) { return p.x * q.y - p.y * q.x; }
inline Real length(Point p) { return std::sqrt(inner(p, p)); }

using Outline = std::vector<Point>;  // counter-clockwise

inline Outline outline_of(const ConvexPart<2>& part, const Pose<2>& at) {
  Outline outline;
  for (const Vec<2>& v : part.vertices) {
    Real x[2];
    for (int d = 0; d < 2; ++d)
      x[d] = Real(at.position[d]) + Real(at.rotation.row[d][0]) * v[0] + Real(at.rotation.row[d][1]) * v[1];
    outline.push_back({x[0], x[1]});
  }
  return outline;
}
inline Point next_of(const Outline& outline, std::size_t i) { return outline[i + 1 < outline.size() ? i + 1 : 0]; }

// How far apart two outlines are along n, which leads from b to a; negative on overlap.
inline Real separation(const Outline& a, const Outline& b, Point n) {
  Real low = HUGE_VALL, high = -HUGE_VALL;
  for (const Point p : a) low = std::min(low, inner(n, p));
  for (const Point p : b) high = std::max(high, inner(n, p));
  return low - high;
}

inline Real distance_to_outline(Point x, const Outline& outline) {
  Real least = HUGE_VALL;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point p = outline[i], side = next_of(outline, i) - p;
    const Real square = inner(side, side), s = square > 0 ? inner(x - p, side) / square : 0;
    least = std::min(least, length(x - p - (s < 0 ? 0 : s > 1 ? 1 : s) * side));
  }
  return least;
}

// Apart: the distance. Overlapping: minus the least translation that parts them; polygons, or at most one of them thin.
inline Real signed_distance(const Outline& a, const Outline& b) {
  Real best = -HUGE_VALL;
  const auto ask = [&](const Outline& own, bool first) {
    for (std::size_t i = 0; i < own.size() && own.size() > 1; ++i) {
      const Point side = next_of(own, i) - own[i], outwards = (1 / length(side)) * Point{side.y, -side.x};
      best = std::max(best, separation(a, b, first ? -1 * outwards : outwards));
    }
  };
  ask(a, true), ask(b, false);
  if (best <= 0 && (a.size() > 2 || b.size() > 2)) return best;
  Real least = HUGE_VALL;
  for (const Point p : a) least = std::min(least, distance_to_outline(p, b));
  for (const Point p : b) least = std::min(least, distance_to_outline(p, a));
  return least;
}

// What a and b have in common, by cutting a with the half-planes of the polygon b.
inline Outline common_part(Outline a, const Outline& b) {
  for (std::size_t j = 0; j < b.size(); ++j) {
    Outline kept;
    const Point start = b[j], side = next_of(b, j) - start;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Point p = a[i], q = next_of(a, i);
      const Real at_p = outer(side, p - start), at_q = outer(side, q - start);
      if (at_p >= 0) kept.push_back(p);
      if ((at_p >= 0) != (at_q >= 0)) kept.push_back(p + (at_p / (at_p - at_q)) * (q - p));
    }
    a = kept;
  }
  return a;
}
// What is wrong with these contacts of a and b, or nothing. `noise` is the length below which a distance has no direction, and
// below which axes of overlap are equally deep; a tenth of it is the length below which two points are one.
inline std::string fault_of(const Manifold<2>& m, const ConvexPart<2>& part_a, const Pose<2>& at_a, const ConvexPart<2>& part_b,
                            const Pose<2>& at_b, double margin, double noise, double rounding) {
  std::ostringstream fault;
  const Outline a = outline_of(part_a, at_a), b = outline_of(part_b, at_b);
  const Real radii = Real(part_a.radius) + part_b.radius, apart = signed_distance(a, b), gap = apart - radii;
  if (m.count == 0) {
    if (gap < margin - rounding) fault << "no contact at a gap of " << gap;
    return fault.str();
  }
  if (gap > margin + rounding) fault << "contact at a gap of " << gap << "; ";
  const Point n{m.point[0].normal[0], m.point[0].normal[1]};
  if (std::abs(length(n) - 1) > 1e-14L) fault << "normal of length " << length(n) << "; ";
  // The normal lies in the cones of normals of both, at the points that meet: along it they are as far apart as they are at all.
  const Real allowed = apart > noise + rounding ? rounding : 2 * noise, along = separation(a, b, n);
  if (std::abs(along - apart) > allowed) fault << "apart " << apart << ", along the normal " << along << "; ";
  // By cutting: nothing in common, no overlap.
  const bool disjoint = (a.size() > 2 || b.size() > 2) && (a.size() > 2 ? common_part(b, a) : common_part(a, b)).empty();
  Real least = HUGE_VALL;
  for (int k = 0; k < m.count; ++k) {
    const ManifoldPoint<2>& c = m.point[k];
    if (!(c.normal == m.point[0].normal)) fault << "two normals; ";
    least = std::min(least, Real(c.gap) + radii);
    if (c.gap > margin + rounding) fault << "gap " << c.gap << " beyond the margin; ";
    if (disjoint && c.gap + radii < -allowed) fault << "overlap of " << -(c.gap + radii) << " with nothing in common; ";
    const Point x{c.point[0], c.point[1]};
    const Point on_a = x + (Real(c.gap) / 2 + part_a.radius) * n, on_b = x - (Real(c.gap) / 2 + part_b.radius) * n;
    if (const Real off = distance_to_outline(on_a, a); off > allowed + noise / 10) fault << "point " << off << " off the first; ";
    if (const Real off = distance_to_outline(on_b, b); off > allowed + noise / 10)
      fault << "point " << off << " off the second; ";
  }
  if (std::abs(least - along) > allowed) fault << "least gap " << least << ", along the normal " << along << "; ";
  return fault.str();
}

}  // namespace moreau::test
