#include "moreau/measure/heap/ground_pressure.hpp"

#include <cmath>
#include <numbers>

namespace moreau::measure {

namespace {

template <int D>
bool on_ground(const Sample<D>& sample, std::size_t c) {
  const std::int32_t b = sample.contacts->b[c];
  if (!is_wall(b)) return !sample.is_free(sample.b(c));
  const WallGeometry<D>& wall = sample.walls[static_cast<std::size_t>(wall_index(b))].geometry;
  return wall.shape == WallShape::plane && wall.direction[D - 1] > 0.5;
}

}  // namespace

template <int D>
std::vector<PressureRing> ground_pressure(const Sample<D>& sample, const Vec<D>& centre, double width) {
  std::vector<PressureRing> rings;
  for (std::size_t c = 0; c < sample.contacts->size(); ++c) {
    if (!on_ground(sample, c)) continue;
    const std::size_t k = static_cast<std::size_t>(distance_to_axis(sample.contacts->point[c], centre) / width);
    if (k >= rings.size()) rings.resize(k + 1);
    ++rings[k].contacts;
    rings[k].force += sample.contacts->force[c][D - 1];
  }
  for (std::size_t k = 0; k < rings.size(); ++k) {
    PressureRing& ring = rings[k];
    ring.from = static_cast<double>(k) * width, ring.to = static_cast<double>(k + 1) * width;
    ring.area = D == 2 ? 2.0 * width : std::numbers::pi * (ring.to * ring.to - ring.from * ring.from);
  }
  return rings;
}

template <int D>
WeightBalance weight_balance(const Sample<D>& sample) {
  WeightBalance balance;
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i)) balance.weight -= sample.parameters->mass[i] * sample.gravity[D - 1];
  for (std::size_t c = 0; c < sample.contacts->size(); ++c)
    if (sample.at_obstacle(c)) (on_ground(sample, c) ? balance.ground : balance.other_walls) += sample.contacts->force[c][D - 1];
  return balance;
}

template std::vector<PressureRing> ground_pressure(const Sample<2>&, const Vec<2>&, double);
template std::vector<PressureRing> ground_pressure(const Sample<3>&, const Vec<3>&, double);
template WeightBalance weight_balance(const Sample<2>&);
template WeightBalance weight_balance(const Sample<3>&);

}  // namespace moreau::measure
