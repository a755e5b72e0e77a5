#include "moreau/measure/region.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace moreau::measure {

double rectangle_in_disc(double x0, double x1, double y0, double y1, double R) {
  x0 = std::max(x0, -R), x1 = std::min(x1, R), y0 = std::max(y0, -R), y1 = std::min(y1, R);
  if (!(x0 < x1 && y0 < y1)) return 0.0;
  // Between these abscissae, top and bottom of the common part are each either the circle or a side of the rectangle.
  std::vector<double> cuts{x0, x1};
  for (const double y : {y0, y1})
    for (const double x : {-std::sqrt(R * R - y * y), std::sqrt(R * R - y * y)})
      if (x > x0 && x < x1) cuts.push_back(x);
  std::sort(cuts.begin(), cuts.end());
  const auto half = [R](double x) { return std::sqrt(std::max(0.0, R * R - x * x)); };
  const auto under_circle = [&](double x) { return 0.5 * (x * half(x) + R * R * std::asin(std::clamp(x / R, -1.0, 1.0))); };
  double area = 0.0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const double a = cuts[i], b = cuts[i + 1], s = half(0.5 * (a + b)), circle = under_circle(b) - under_circle(a);
    if (std::min(y1, s) <= std::max(y0, -s)) continue;
    area += (y1 < s ? y1 * (b - a) : circle) - (y0 > -s ? y0 * (b - a) : -circle);
  }
  return area;
}

template <int D>
Vec<D> Extent<D>::folded(Vec<D> x) const {
  for (int d = D - 1; d >= 0; --d) {
    if (!lattice.periodic[d]) continue;
    const double times = std::floor((x[d] - lower(d)) / lattice.vectors.row[d][d]);
    for (int i = 0; i <= d; ++i) x[i] -= times * lattice.vectors.row[i][d];
  }
  return x;
}

template <int D>
bool Extent<D>::contains(const Vec<D>& place) const {
  const Vec<D> x = lattice.any() ? folded(place) : place;
  for (int d = 0; d < D; ++d)
    if (!(x[d] >= low[d] && x[d] < high[d])) return false;
  if (inner == 0.0 && outer == unbounded) return true;
  const double r = radius_of(x);
  return r >= inner && r < outer;
}

template <int D>
double Extent<D>::volume() const {
  double height = 1.0;
  for (int d = 0; d < D; ++d)
    if (!(low[d] < high[d])) return 0.0;
  for (int d = 2; d < D; ++d) height *= upper(d) - lower(d);
  if (!(inner < outer)) return 0.0;
  const double x0 = lower(0) - centre[0], x1 = upper(0) - centre[0], y0 = lower(1) - centre[1], y1 = upper(1) - centre[1];
  const double within = outer == unbounded ? (x1 - x0) * (y1 - y0) : rectangle_in_disc(x0, x1, y0, y1, outer);
  return height * (within - (inner > 0.0 ? rectangle_in_disc(x0, x1, y0, y1, inner) : 0.0));
}

template <int D>
double Extent<D>::distance(const Vec<D>& place) const {
  const Vec<D> x = lattice.any() ? folded(place) : place;
  double least = unbounded;
  for (int d = 0; d < D; ++d) {
    least = std::min({least, std::abs(x[d] - low[d]), std::abs(x[d] - high[d])});
    if (lattice.periodic[d]) least = std::min({least, x[d] - lower(d), lower(d) + lattice.vectors.row[d][d] - x[d]});
  }
  const double r = radius_of(x);
  if (inner > 0.0) least = std::min(least, std::abs(r - inner));
  if (outer < unbounded) least = std::min(least, std::abs(r - outer));
  return least;
}

namespace {

// Where the segment p + t (q - p), 0 < t < 1, meets the boundary of the shape, extended.
template <int D>
void add_crossings(const Extent<D>& shape, const Vec<D>& from, const Vec<D>& q, std::vector<double>& cuts) {
  const Vec<D> e = q - from, p = shape.lattice.any() ? shape.folded(from) : from;
  const auto add = [&](double t) {
    if (t > 0.0 && t < 1.0) cuts.push_back(t);
  };
  for (int d = 0; d < D; ++d)
    if (e[d] != 0.0)
      for (const double side : {shape.low[d], shape.high[d]}) {
        const double period = shape.lattice.periodic[d] ? shape.lattice.vectors.row[d][d] : 0.0;
        for (int k = period > 0.0 ? -1 : 0; k <= (period > 0.0 ? 1 : 0); ++k)
          if (std::isfinite(side)) add((side + k * period - p[d]) / e[d]);
      }
  const double a = e[0] * e[0] + e[1] * e[1];
  if (a == 0.0) return;
  const double x = p[0] - shape.centre[0], y = p[1] - shape.centre[1], b = x * e[0] + y * e[1];
  for (const double radius : {shape.inner, shape.outer}) {
    if (!(radius > 0.0 && radius < unbounded)) continue;
    const double discriminant = b * b - a * (x * x + y * y - radius * radius);
    if (discriminant <= 0.0) continue;
    const double root = std::sqrt(discriminant);
    add((-b - root) / a), add((-b + root) / a);
  }
}

// Points that stand for equal volumes of the unit ball.
template <int D>
std::vector<Vec<D>> points_of_ball() {
  constexpr int n = D == 2 ? 48 : 14;
  std::vector<Vec<D>> points;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double angle = 2.0 * std::numbers::pi * (j + (i % 2 == 0 ? 0.25 : 0.75)) / n, share = (i + 0.5) / n;
      if constexpr (D == 2) {
        points.push_back({{std::sqrt(share) * std::cos(angle), std::sqrt(share) * std::sin(angle)}});
      } else {
        for (int k = 0; k < n; ++k) {
          const double r = std::cbrt(share), z = 2.0 * (k + 0.5) / n - 1.0, s = std::sqrt(1.0 - z * z);
          points.push_back({{r * s * std::cos(angle), r * s * std::sin(angle), r * z}});
        }
      }
    }
  return points;
}

}  // namespace

template <int D>
double share_of_segment(const Region<D>& region, const Vec<D>& p, const Vec<D>& q) {
  std::vector<double> cuts{0.0, 1.0};
  add_crossings(region.outside, p, q, cuts);
  if (region.hole) add_crossings(*region.hole, p, q, cuts);
  std::sort(cuts.begin(), cuts.end());
  double share = 0.0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    if (region.contains(p + (0.5 * (cuts[i] + cuts[i + 1])) * (q - p))) share += cuts[i + 1] - cuts[i];
  return share;
}

template <int D>
double share_of_ball(const Region<D>& region, const Vec<D>& centre, double radius) {
  const double distance = std::min(region.outside.distance(centre), region.hole ? region.hole->distance(centre) : unbounded);
  if (distance >= radius) return region.contains(centre) ? 1.0 : 0.0;
  static const std::vector<Vec<D>> points = points_of_ball<D>();
  std::size_t inside = 0;
  for (const Vec<D>& x : points) inside += region.contains(centre + radius * x) ? 1 : 0;
  return static_cast<double>(inside) / static_cast<double>(points.size());
}

template <int D>
Extent<D> common_part(const Extent<D>& p, const Extent<D>& q) {
  Extent<D> both = p.outer < unbounded || p.inner > 0.0 ? p : q;
  if (!both.lattice.any()) both.lattice = p.lattice.any() ? p.lattice : q.lattice;
  for (int d = 0; d < D; ++d) both.low[d] = std::max(p.low[d], q.low[d]), both.high[d] = std::min(p.high[d], q.high[d]);
  both.inner = std::max(p.inner, q.inner), both.outer = std::min(p.outer, q.outer);
  return both;
}

template <int D>
Region<D> Domain<D>::through_walls(Region<D> region) const {
  region.volume_within = region.volume();
  Extent<D>& s = region.outside;
  for (int d = 0; d < D; ++d) {
    if ((low_wall[d] || (radial_wall && d < 2)) && s.low[d] <= shape.low[d]) s.low[d] = -unbounded;
    if ((high_wall[d] || (radial_wall && d < 2)) && s.high[d] >= shape.high[d]) s.high[d] = unbounded;
  }
  if (radial_wall && s.outer >= shape.outer) s.outer = unbounded;
  return region;
}

template <int D>
std::optional<Region<D>> Domain<D>::bulk(double thickness) const {
  Region<D> region{"bulk", shape};
  for (int d = 0; d < D; ++d) {
    if (low_wall[d]) region.outside.low[d] += thickness;
    if (high_wall[d]) region.outside.high[d] -= thickness;
  }
  if (radial_wall) region.outside.outer -= thickness;
  if (!(region.volume() > 0.0)) return {};
  return region;
}

template <int D>
Region<D> Domain<D>::skin(double thickness) const {
  Region<D> region{"skin", shape};
  if (const auto rest = bulk(thickness)) region.hole = rest->outside;
  return through_walls(region);
}

// How far a body reaches from its centre along an axis, and back.
template <int D>
std::array<double, 2> reaches(const Sample<D>& sample, std::size_t body, int axis) {
  const std::int32_t shape = sample.parameters->shape[body];
  const double radius = sample.parameters->radius[body];
  if (shape < 0 || !sample.shapes || sample.shapes->empty()) return {-radius, radius};
  const auto rotation = matrix_of(sample.state->orientation[body]);
  double low = unbounded, high = -unbounded;
  for (const ConvexPart<D>& part : (*sample.shapes)[static_cast<std::size_t>(shape)].parts)
    for (const Vec<D>& vertex : part.vertices) {
      const double at = (rotation * vertex)[axis];
      low = std::min(low, at - part.radius), high = std::max(high, at + part.radius);
    }
  return {low, high};
}

template <int D>
Domain<D> domain_of(const Sample<D>& sample) {
  Domain<D> domain;
  Extent<D>& shape = domain.shape;
  std::vector<bool> touching(sample.bodies(), false);
  for (std::size_t c = 0; c < sample.contacts->size(); ++c) {
    touching[sample.a(c)] = true;
    if (!is_wall(sample.contacts->b[c])) touching[sample.b(c)] = true;
  }
  const bool any = sample.contacts->size() > 0;
  Extent<D> extent;
  for (int d = 0; d < D; ++d) std::swap(extent.low[d], extent.high[d]);
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i) && (touching[i] || !any))
      for (int d = 0; d < D; ++d) {
        const auto [back, ahead] = reaches(sample, i, d);
        extent.low[d] = std::min(extent.low[d], sample.state->position[i][d] + back);
        extent.high[d] = std::max(extent.high[d], sample.state->position[i][d] + ahead);
      }
  for (std::size_t w = 0; w < sample.walls.size(); ++w) {
    const WallGeometry<D>& wall = sample.walls[w].geometry;
    if (wall.shape == WallShape::mesh) continue;
    const Vec<D> at = wall.point + sample.wall_shift[w];
    if (wall.shape == WallShape::cylinder) {
      if (D == 3 && std::abs(wall.direction[D - 1]) < 1.0 - 1e-9) continue;
      if (domain.radial_wall && wall.radius >= shape.outer) continue;
      domain.radial_wall = true;
      shape.centre = at, shape.outer = wall.radius;
      continue;
    }
    for (int d = 0; d < D; ++d) {
      if (wall.direction[d] > 1.0 - 1e-9 && at[d] > shape.low[d]) shape.low[d] = at[d], domain.low_wall[d] = true;
      if (wall.direction[d] < -1.0 + 1e-9 && at[d] < shape.high[d]) shape.high[d] = at[d], domain.high_wall[d] = true;
    }
  }
  for (int d = 0; d < D; ++d) {
    const bool round = domain.radial_wall && d < 2;
    if (!domain.low_wall[d]) shape.low[d] = round ? shape.centre[d] - shape.outer : extent.low[d];
    if (!domain.high_wall[d]) shape.high[d] = round ? shape.centre[d] + shape.outer : extent.high[d];
  }
  const Lattice<D>& cell = sample.lattice;
  if (!cell.any()) return domain;
  double volume = cell.volume();
  for (int d = 0; d < D; ++d)
    if (!cell.periodic[d]) volume *= (shape.high[d] - shape.low[d]) / norm(cell.vectors.row[d]);
  for (int d = 0; d < D; ++d)
    if (cell.periodic[d]) shape.low[d] = -HUGE_VAL, shape.high[d] = HUGE_VAL;
  domain.cell_volume = volume;
  shape.lattice = cell;
  return domain;
}

template struct Extent<2>;
template struct Extent<3>;
template struct Domain<2>;
template struct Domain<3>;
template double share_of_segment(const Region<2>&, const Vec<2>&, const Vec<2>&);
template double share_of_segment(const Region<3>&, const Vec<3>&, const Vec<3>&);
template double share_of_ball(const Region<2>&, const Vec<2>&, double);
template double share_of_ball(const Region<3>&, const Vec<3>&, double);
template Extent<2> common_part(const Extent<2>&, const Extent<2>&);
template Extent<3> common_part(const Extent<3>&, const Extent<3>&);
template Domain<2> domain_of(const Sample<2>&);
template Domain<3> domain_of(const Sample<3>&);

}  // namespace moreau::measure
