#include "moreau/scene/generate/concave_outline.hpp"

#include <cmath>

#include "moreau/geometry/mass_properties.hpp"

namespace moreau::inline scene {

namespace {

constexpr double least_loss = 1e-6;  // of the area of the hull; below, points on a side are not quite in line

double doubled_area(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c) { return moment(b - a, c - a)[0]; }

double area_of(const std::vector<Vec<2>>& corners) {
  double sum = 0.0;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) sum += doubled_area(corners[0], corners[i], corners[i + 1]);
  return 0.5 * std::abs(sum);
}

bool cross_each_other(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c, const Vec<2>& d) {
  return doubled_area(a, b, c) * doubled_area(a, b, d) < 0.0 && doubled_area(c, d, a) * doubled_area(c, d, b) < 0.0;
}

bool sides_cross(const std::vector<Vec<2>>& p) {
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j)
      if ((j + 1) % n != i && cross_each_other(p[i], p[i + 1], p[j], p[(j + 1) % n])) return true;
  return false;
}

}  // namespace

std::optional<ConcaveOutline> concave_outline(const std::vector<Vec<2>>& points) {
  if (points.size() < 4) return std::nullopt;
  const HullResult<2> hull = convex_hull<2>(points);
  if (!hull.fault.empty()) return std::nullopt;
  const ConcaveOutline outline{area_of(points), area_of(hull.part.vertices)};
  if (!(outline.area < (1.0 - least_loss) * outline.hull_area) || sides_cross(points)) return std::nullopt;
  return outline;
}

}  // namespace moreau::inline scene
