#include "moreau/measure/heap/heap_slope.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "moreau/base/whole.hpp"

namespace moreau::measure {

namespace {

struct Top {
  double r = 0.0, z = 0.0;
};

struct LineFit {
  double slope = 0.0, error = 0.0;  // dz/dr and its standard error
};

LineFit fit_line(const std::vector<Top>& points) {
  const double n = static_cast<double>(points.size());
  double r = 0.0, z = 0.0, rr = 0.0, rz = 0.0, rest = 0.0;
  for (const Top& p : points) r += p.r / n, z += p.z / n;
  for (const Top& p : points) rr += (p.r - r) * (p.r - r), rz += (p.r - r) * (p.z - z);
  LineFit fit;
  if (rr == 0.0) return fit;
  fit.slope = rz / rr;
  for (const Top& p : points) rest += std::pow(p.z - z - fit.slope * (p.r - r), 2);
  if (points.size() > 2) fit.error = std::sqrt(rest / (n - 2.0) / rr);
  return fit;
}

}  // namespace

template <int D>
HeapSlope heap_slope(const Sample<D>& sample, const Vec<D>& centre, int sectors) {
  HeapSlope result;
  std::vector<bool> touching(sample.bodies(), false);
  for (std::size_t c = 0; c < sample.contacts->size(); ++c) {
    touching[sample.a(c)] = true;
    if (!is_wall(sample.contacts->b[c])) touching[sample.b(c)] = true;
  }
  double low = HUGE_VAL, high = -HUGE_VAL, diameter = 0.0;
  std::size_t grains = 0;
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    if (!sample.is_free(i) || !touching[i]) continue;
    const double z = sample.state->position[i][D - 1], radius = sample.parameters->radius[i];
    low = std::min(low, z - radius), high = std::max(high, z + radius);
    result.radius = std::max(result.radius, distance_to_axis(sample.state->position[i], centre));
    diameter += 2.0 * radius, ++grains;
  }
  if (grains == 0) return result;
  diameter /= static_cast<double>(grains);
  result.height = high - low;

  const int parts = D == 2 ? 2 : sectors;
  // The highest top of each cell. Cells have about the same size near and far from the axis: the highest of many grains lies
  // higher than the highest of few, and cells that grow outwards would flatten the slope.
  const double side = (D == 2 ? 1.0 : 2.0) * diameter;
  std::map<std::array<long, 3>, Top> tops;  // by sector, distance, azimuth within the sector
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    if (!sample.is_free(i) || !touching[i]) continue;
    const Vec<D> x = sample.state->position[i] - centre;
    const double turn = D == 2 ? (x[0] < 0.0 ? 0.75 : 0.25) : std::atan2(x[1], x[0]) / (2.0 * std::numbers::pi) + 0.5;
    const int sector = std::clamp(static_cast<int>(turn * parts), 0, parts - 1);
    const double r = distance_to_axis(sample.state->position[i], centre);
    const long ring = whole(r / side);
    const double across = std::max(1.0, std::round(2.0 * std::numbers::pi / parts * (static_cast<double>(ring) + 0.5)));
    const long column = D == 2 ? 0 : static_cast<long>((turn * parts - sector) * across);
    const Top top{r, sample.state->position[i][D - 1] + sample.parameters->radius[i]};
    const auto [place, first] = tops.try_emplace({sector, ring, column}, top);
    if (!first && top.z > place->second.z) place->second = top;
  }
  double error = 0.0;
  for (int sector = 0; sector < parts; ++sector) {
    std::vector<Top> flank;
    for (const auto& [key, top] : tops)
      if (key[0] == sector && top.z > low + 0.2 * result.height && top.z < low + 0.8 * result.height) flank.push_back(top);
    if (flank.size() < 3) continue;
    const LineFit fit = fit_line(flank);
    result.sector_angle.push_back(-std::atan(fit.slope));
    result.tops += flank.size();
    error += std::pow(fit.error / (1.0 + fit.slope * fit.slope), 2);
  }
  const double n = static_cast<double>(result.sector_angle.size());
  if (n == 0.0) return result;
  double squares = 0.0;
  for (const double angle : result.sector_angle) result.angle += angle / n;
  for (const double angle : result.sector_angle) squares += (angle - result.angle) * (angle - result.angle);
  const double spread = n > 1.0 ? std::sqrt(squares / (n - 1.0) / n) : 0.0;
  result.uncertainty = std::max(spread, std::sqrt(error) / n);
  return result;
}

template HeapSlope heap_slope(const Sample<2>&, const Vec<2>&, int);
template HeapSlope heap_slope(const Sample<3>&, const Vec<3>&, int);

}  // namespace moreau::measure
