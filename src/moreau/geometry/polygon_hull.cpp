// Convex hull in the plane (Andrew's monotone chain), cleaned of corners that are none.
#include <fmt/format.h>

#include <algorithm>

#include "moreau/geometry/enclosing_ball.hpp"
#include "moreau/geometry/mass_properties.hpp"

namespace moreau::inline geometry {
namespace {

// A corner closer than this to the line through its neighbours, or to a neighbour, relative to the extent, is no corner.
constexpr double flatness = 1e-12;
// The extent of a part, relative to its distance from the origin, must exceed this: nearer, rounding would eat the shape.
constexpr double least_extent = 1e-9;

// A point as given, and seen from the middle of all in units of their extent: there tests neither overflow nor cancel.
struct Corner {
  Vec<2> scaled, given;
};

double turn(const Corner& a, const Corner& b, const Corner& c) { return moment(b.scaled - a.scaled, c.scaled - b.scaled)[0]; }

// Distance of b from the line a -> c, positive when a, b, c turn left; never more than its distance from a or c.
double bulge(const Corner& a, const Corner& b, const Corner& c) {
  const double length = norm(c.scaled - a.scaled);
  return length > 0.0 ? turn(a, b, c) / length : 0.0;
}

// Counter-clockwise, from the lowest of the leftmost points.
std::vector<Corner> monotone_chain(std::vector<Corner> x) {
  std::sort(x.begin(), x.end(), [](const Corner& a, const Corner& b) {
    return a.given[0] != b.given[0] ? a.given[0] < b.given[0] : a.given[1] < b.given[1];
  });
  std::vector<Corner> hull;
  const auto add = [&](const Corner& next, std::size_t fixed) {
    while (hull.size() > fixed && turn(hull[hull.size() - 2], hull.back(), next) <= 0.0) hull.pop_back();
    hull.push_back(next);
  };
  for (const Corner& p : x) add(p, 1);
  const std::size_t lower = hull.size();
  for (auto p = x.rbegin() + 1; p != x.rend(); ++p) add(*p, lower);
  hull.pop_back();  // the first point again
  return hull;
}

// Takes away the flattest corner until all stand out.
void drop_flat_corners(std::vector<Corner>& hull, double least_bulge) {
  while (hull.size() >= 3) {
    const std::size_t n = hull.size();
    std::size_t flattest = 0;
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < n; ++i) {
      const double b = bulge(hull[(i + n - 1) % n], hull[i], hull[(i + 1) % n]);
      if (b < least) least = b, flattest = i;
    }
    if (least > least_bulge) return;
    hull.erase(hull.begin() + static_cast<std::ptrdiff_t>(flattest));
  }
}

}  // namespace

template <>
HullResult<2> convex_hull<2>(std::span<const Vec<2>> points, double radius) {
  HullResult<2> result;
  const auto fault = [&](std::string text) {
    result.fault = std::move(text);
    return result;
  };
  if (!std::isfinite(radius) || radius < 0.0)
    return fault(fmt::format("its rounding radius is {}, not zero or positive", radius));
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!is_finite(points[i])) return fault(fmt::format("vertex {} is ({}, {}), not finite", i + 1, points[i][0], points[i][1]));
  if (points.size() < 3) return fault(fmt::format("it has {} vertices, a polygon needs at least 3", points.size()));

  Vec<2> low = points[0], high = points[0];
  for (const Vec<2>& x : points)
    for (int d = 0; d < 2; ++d) low[d] = std::min(low[d], x[d]), high[d] = std::max(high[d], x[d]);
  const Vec<2> middle = 0.5 * low + 0.5 * high;
  const double extent = norm(high - low), distance = norm(middle);
  if (!std::isfinite(extent) || !std::isfinite(distance)) return fault("its vertices are too far apart to measure");
  if (extent == 0.0) return fault("all its vertices coincide");
  if (extent < least_extent * distance)
    return fault(fmt::format("its extent {} is below {} of its distance {} from the origin", extent, least_extent, distance));

  std::vector<Corner> corners;
  for (const Vec<2>& p : points) corners.push_back({(1.0 / extent) * (p - middle), p});
  std::vector<Corner> hull = monotone_chain(std::move(corners));
  drop_flat_corners(hull, flatness);
  if (hull.size() < 3) return fault("its area is zero: all its vertices lie in a line");

  for (const Corner& corner : hull) result.part.vertices.push_back(corner.given);
  const EnclosingBall<2> ball = enclosing_ball(result.part.vertices);
  result.part.radius = radius;
  result.part.centre = ball.centre;
  result.part.reach = ball.radius + radius;
  return result;
}

}  // namespace moreau::inline geometry
