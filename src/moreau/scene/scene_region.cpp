#include "moreau/scene/scene_region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace moreau::inline scene {
namespace {

// Number of components over which `radius` limits a cylinder or a ball.
template <int D>
constexpr int round_components(typename SceneRegion<D>::Shape shape) {
  return shape == SceneRegion<D>::Shape::cylinder ? D - 1 : D;
}

template <int D>
void read_box(TableReader& table, SceneRegion<D>& region) {
  const auto corners = table.vectors<D>("box");
  if (table.mistakes().any()) return;
  if (corners.size() != 2)
    return table.fail("box", fmt::format("is an array of {}; accepted: two opposite corners, the lower first", corners.size()));
  region.low = corners[0];
  region.high = corners[1];
  for (int i = 0; i < D; ++i)
    if (!(region.low[i] < region.high[i]))
      return table.fail("box", fmt::format("goes from {} to {} along axis {}; accepted: two opposite corners, the lower first",
                                           region.low[i], region.high[i], i + 1));
}

template <int D>
void read_ball(TableReader table, SceneRegion<D>& region) {
  region.shape = SceneRegion<D>::Shape::ball;
  region.centre = table.vector<D>("centre", Vec<D>{});
  region.radius = table.number("radius", positive);
  for (int i = 0; i < D; ++i) {
    region.low[i] = region.centre[i] - region.radius;
    region.high[i] = region.centre[i] + region.radius;
  }
  table.finish();
}

void read_cylinder(TableReader table, SceneRegion<3>& region) {
  region.shape = SceneRegion<3>::Shape::cylinder;
  const Vec<2> centre = table.vector<2>("centre", Vec<2>{});
  region.centre = {{centre[0], centre[1], 0.0}};
  region.radius = table.number("radius", positive);
  const double bottom = table.number("bottom", any_number), top = table.number("top", any_number);
  if (table.has("top") && table.has("bottom") && !table.mistakes().any() && !(bottom < top))
    table.fail("top", fmt::format("is {}; accepted: a number above 'bottom', which is {}", top, bottom));
  region.low = {{centre[0] - region.radius, centre[1] - region.radius, bottom}};
  region.high = {{centre[0] + region.radius, centre[1] + region.radius, top}};
  table.finish();
}

}  // namespace

template <int D>
double SceneRegion<D>::volume() const {
  if (shape == Shape::ball) return std::numbers::pi * radius * radius * (D == 2 ? 1.0 : radius * 4.0 / 3.0);
  if (shape == Shape::cylinder) return std::numbers::pi * radius * radius * (high[D - 1] - low[D - 1]);
  double product = 1.0;
  for (int i = 0; i < D; ++i) product *= high[i] - low[i];
  return product;
}

template <int D>
bool SceneRegion<D>::has_room_for(double grain_radius) const {
  for (int i = 0; i < D; ++i)
    if (high[i] - low[i] < 2.0 * grain_radius) return false;
  return true;
}

template <int D>
bool SceneRegion<D>::contains(const Vec<D>& position, double grain_radius) const {
  for (int i = 0; i < D; ++i)
    if (position[i] - grain_radius < low[i] || position[i] + grain_radius > high[i]) return false;
  if (shape == Shape::box) return true;
  double squared = 0.0;
  for (int i = 0; i < round_components<D>(shape); ++i) squared += (position[i] - centre[i]) * (position[i] - centre[i]);
  const double reach = radius - grain_radius;
  return reach >= 0.0 && squared <= reach * reach;
}

template <int D>
Vec<D> SceneRegion<D>::sample(RandomStream& random, double grain_radius) const {
  Vec<D> position{};
  // Rejection from the bounding box: arithmetic only, hence the same grains on every machine. Accepts at least half of the
  // trials; the bound on trials is for regions so thin that rounding refuses every one.
  for (int trial = 0; trial < 1000; ++trial) {
    for (int i = 0; i < D; ++i) {
      const double from = low[i] + grain_radius, to = high[i] - grain_radius;
      position[i] = from < to ? random.uniform(from, to) : 0.5 * (low[i] + high[i]);
    }
    if (contains(position, grain_radius)) break;
  }
  return position;
}

template <int D>
SceneRegion<D> read_region(TableReader& entry) {
  SceneRegion<D> region;
  const std::vector<std::string> shapes =
      D == 2 ? std::vector<std::string>{"box", "circle"} : std::vector<std::string>{"box", "cylinder", "sphere"};
  auto table =
      entry.table("region", true, D == 2 ? "a table with 'box' or 'circle'" : "a table with 'box', 'cylinder' or 'sphere'");
  if (!table) return region;
  const std::string shape = table->one_of(shapes);
  if (shape == "box") read_box<D>(*table, region);
  if (shape == "circle" || shape == "sphere")
    if (auto ball = table->table(shape, true)) read_ball<D>(*ball, region);
  if constexpr (D == 3)
    if (shape == "cylinder")
      if (auto cylinder = table->table(shape, true)) read_cylinder(*cylinder, region);
  table->finish();
  return region;
}

template struct SceneRegion<2>;
template struct SceneRegion<3>;
template SceneRegion<2> read_region<2>(TableReader&);
template SceneRegion<3> read_region<3>(TableReader&);

}  // namespace moreau::inline scene
