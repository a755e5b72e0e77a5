#include "moreau/reproduce/pile_measures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "moreau/measure/solid_fraction.hpp"
#include "moreau/measure/strips.hpp"

namespace moreau::reproduce {

namespace {

std::uint64_t frame_at(const FinishedRun<3>& run, double time) {
  const double last = static_cast<double>(run.folder.frame_count() - 1);
  return static_cast<std::uint64_t>(std::min(std::round(time / run.scene.output.frame_interval), last));
}

// A fossil layer about the axis: mean height by radius, and from its slope the direction in which forces should cross cylinders.
struct LayerSlope {
  double r, z, slope;  // dz/dr
};
std::vector<LayerSlope> layer_slopes(const PileInstant& now, double born_from, double born_to, double width) {
  std::vector<double> z, count;
  for (std::size_t i = 0; i < now.sample.bodies(); ++i) {
    const double birth = now.frame.parameters.birth[i];
    if (!now.sample.is_free(i) || birth < born_from || birth >= born_to) continue;
    const Vec<3>& x = now.frame.state.position[i];
    const std::size_t bin = static_cast<std::size_t>(std::hypot(x[0], x[1]) / width);
    if (bin >= z.size()) z.resize(bin + 1, 0.0), count.resize(bin + 1, 0.0);
    z[bin] += x[2], count[bin] += 1.0;
  }
  std::vector<LayerSlope> slopes;
  for (std::size_t k = 1; k + 1 < z.size(); ++k)
    if (count[k - 1] >= 8.0 && count[k + 1] >= 8.0 && count[k] >= 8.0)
      slopes.push_back({(static_cast<double>(k) + 0.5) * width, z[k] / count[k],
                        (z[k + 1] / count[k + 1] - z[k - 1] / count[k - 1]) / (2.0 * width)});
  return slopes;
}

}  // namespace

PileInstant::PileInstant(const FinishedRun<3>& run, double time) : frame(run.folder.read_frame<3>(frame_at(run, time))) {
  sample = measure::sample_of(run.scene.model, frame.shapes, frame.time, frame.parameters, frame.state, frame.contacts,
                              frame.wall_shift);
}

double PileInstant::top_speed() const {
  double top = 0.0;
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i)) top = std::max(top, norm(frame.state.velocity[i]));
  return top;
}

std::size_t PileInstant::carrying() const {
  const auto carries = measure::carrying_contacts(sample);
  return static_cast<std::size_t>(std::count(carries.begin(), carries.end(), true));
}

std::size_t PileInstant::grains() const {
  std::size_t n = 0;
  for (std::size_t i = 0; i < sample.bodies(); ++i) n += sample.is_free(i);
  return n;
}

PilePressure pressure_under(const PileInstant& now) {
  PilePressure pressure;
  double force = 0.0, area = 0.0;
  for (const auto& ring : measure::ground_pressure(now.sample, Vec<3>{}, ring_width)) {
    if (ring.to <= 2.0 * ring_width + 1e-9) force += ring.force, area += ring.area;
    pressure.largest = std::max(pressure.largest, ring.pressure());
    pressure.radius.push_back(0.5 * (ring.from + ring.to)), pressure.ring.push_back(ring.pressure());
  }
  pressure.centre = area > 0.0 ? force / area : 0.0;
  return pressure;
}

measure::HeapSlope slope_of(const PileInstant& now) { return measure::heap_slope(now.sample, Vec<3>{}, 12); }

double bulk_density(const PileInstant& now, const measure::HeapSlope& heap) {
  measure::Region<3> heart{"heart", {}};
  heart.outside.outer = 0.35 * heap.radius;
  heart.outside.low[2] = 0.5, heart.outside.high[2] = 0.5 * heap.height;
  return measure::solid_fraction(now.sample, heart).fraction();
}

PileCuts cuts_of(const PileInstant& now, const measure::HeapSlope& heap, double poured) {
  PileCuts cuts;
  const Vec<3> axis{};
  const double length = heap.height / 4.0, degrees = 180.0 / std::numbers::pi;
  for (double from = 0.15 * poured; from < 0.8 * poured; from += 0.05 * poured)
    for (const LayerSlope& layer : layer_slopes(now, from, from + 0.08 * poured, std::max(0.5, heap.radius / 12.0))) {
      const double surface = heap.height * (1.0 - layer.r / heap.radius);
      if (layer.z + 0.6 * length > surface || layer.z - 0.5 * length < 0.0) continue;
      const measure::Strip upright{layer.r, layer.z - 0.5 * length, layer.r, layer.z + 0.5 * length};
      const measure::StripForce t = measure::force_across(now.sample, upright, axis);
      if (t.contacts < 20) continue;
      // The force on the inner side points inwards; turned round it points away from the axis, as the layer is followed.
      double angle = degrees * (std::atan2(-t.vertical, -t.radial) - std::atan(layer.slope));
      cuts.angle.push_back(angle);
      const double half = 0.5 * length / std::sqrt(2.0);
      const measure::Strip sloped{layer.r - half, layer.z - half, layer.r + half, layer.z + half};
      if (sloped.r1 <= 0.0) continue;
      const measure::StripForce other = measure::force_across(now.sample, sloped, axis);
      const double residual = measure::reciprocity_residual(upright, t, sloped, other);
      if (std::isfinite(residual)) cuts.residual.push_back(residual);
    }
  return cuts;
}

PileBank bank_of(const PileInstant& now, const measure::HeapSlope& heap, double poured) {
  PileBank bank;
  // The foot of the cone: the outermost grain has run further.
  const double degrees = 180.0 / std::numbers::pi, fall = std::tan(heap.angle), foot = heap.height / fall;
  for (double from = 0.15 * poured; from < 0.95 * poured; from += 0.05 * poured)
    for (const LayerSlope& layer : layer_slopes(now, from, from + 0.08 * poured, std::max(0.5, foot / 12.0)))
      if (layer.r > 0.4 * foot && layer.r < 0.8 * foot && layer.z > ring_width)
        bank.layer_angle.push_back(-degrees * std::atan(layer.slope));
  // Strips of a sixth of the flank, by a mean diameter deeper each, as long as they lie in the pile.
  const double length = foot / 6.0;
  for (double r = 0.4 * foot; r + length < 0.9 * foot; r += 0.25 * length)
    for (double depth = 0.5 * ring_width;; depth += 0.5 * ring_width) {
      const double z = heap.height - fall * r - depth;
      const measure::Strip strip{r, z, r + length, z - fall * length};
      if (strip.z2 < 0.5 * ring_width) break;
      const measure::StripForce t = measure::force_across(now.sample, strip, Vec<3>{});
      if (t.contacts < 20) continue;
      const double up = t.vertical > 0.0 ? 1.0 : -1.0;  // T on either side of the cut
      bank.from_vertical.push_back(degrees * std::atan2(up * t.radial, up * t.vertical));
    }
  return bank;
}

CentralGrains central_grains(const PileInstant& now, double born_from, double born_to, double reach) {
  CentralGrains c;
  double all = 0.0, near = 0.0;
  for (std::size_t i = 0; i < now.sample.bodies(); ++i) {
    const double birth = now.frame.parameters.birth[i];
    if (!now.sample.is_free(i) || birth < born_from || birth >= born_to) continue;
    const Vec<3>& x = now.frame.state.position[i];
    all += 1.0;
    if (std::hypot(x[0], x[1]) < reach) near += 1.0, c.height += x[2];
  }
  c.share = near / std::max(1.0, all), c.height /= std::max(1.0, near);
  return c;
}

double apex_rise(const PileInstant& now) {
  constexpr int sectors = 12;
  double top = 0.0, around[sectors] = {};
  for (std::size_t i = 0; i < now.sample.bodies(); ++i) {
    if (!now.sample.is_free(i)) continue;
    const Vec<3>& x = now.frame.state.position[i];
    const double r = std::hypot(x[0], x[1]), height = x[2] + now.frame.parameters.radius[i];
    if (r < ring_width) top = std::max(top, height);
    if (r < 2.0 * ring_width || r > 3.0 * ring_width) continue;
    const double turn = (std::atan2(x[1], x[0]) / std::numbers::pi + 1.0) * 0.5 * sectors;
    double& highest = around[std::min(static_cast<int>(turn), sectors - 1)];
    highest = std::max(highest, height);
  }
  double mean = 0.0;
  for (const double height : around) mean += height / sectors;
  return top - mean;
}

}  // namespace moreau::reproduce
