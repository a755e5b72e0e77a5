// Strips about an axis, ground pressure, fossil layers, slope.
#include <gtest/gtest.h>

#include <numbers>

#include "measure/small_sample.hpp"
#include "moreau/base/random.hpp"
#include "moreau/measure/heap/fossil_layer.hpp"
#include "moreau/measure/heap/ground_pressure.hpp"
#include "moreau/measure/heap/heap_slope.hpp"
#include "moreau/measure/heap/strips.hpp"

namespace moreau::measure {
namespace {

using std::numbers::pi;

TEST(Strips, two_balls_across_a_cylinder) {
  // Balls at r = 1 and 2 on the y axis, pressed with 6 and sheared with 2 upwards on the outer one; cylinder r = 1.5 from z = -1
  // to 1.
  SmallSample<3> s;
  s.body({{0, 1, 0}}, 0.5), s.body({{0, 2, 0}}, 0.5);
  s.contact(0, 1, 6.0, {{0.25, 0, -2.0}});  // on the inner ball by the outer: towards the axis, down, and a little sideways
  const Strip cylinder{1.5, -1.0, 1.5, 1.0};
  const StripForce t = force_across<3>(s.sample(), cylinder, {});
  const double area = 2 * pi * 1.5 * 2.0;
  EXPECT_EQ(t.contacts, 1u);
  EXPECT_NEAR(t.area, area, 1e-12);
  EXPECT_EQ(cylinder.normal()[0], 1.0);  // outwards
  EXPECT_NEAR(t.radial, -6.0 / area, 1e-14);
  EXPECT_NEAR(t.vertical, -2.0 / area, 1e-14);
  EXPECT_NEAR(t.orthoradial, -0.25 / area, 1e-14);
  EXPECT_EQ(force_across<3>(s.sample(), {1.5, 0.1, 1.5, 1.0}, {}).contacts, 0u);   // projects outside
  EXPECT_EQ(force_across<3>(s.sample(), {2.5, -1.0, 2.5, 1.0}, {}).contacts, 0u);  // both on one side
  // The same strip run the other way has the other side and the opposite force.
  EXPECT_NEAR(force_across<3>(s.sample(), {1.5, 1.0, 1.5, -1.0}, {}).radial, 6.0 / area, 1e-14);
}

TEST(Strips, uniform_stress_is_felt_by_every_cut_and_obeys_reciprocity) {
  // Cuts along lattice lines: T = -sigma nu. Reciprocity between the vertical and the horizontal one: T_y on the first = T_x on
  // the second, up to the sign of nu.
  const SmallSample<2> s = lattice_under_stress(10, 2.0, 3.0, 0.5);
  const Strip vertical{5.0, 2.0, 5.0, 8.0}, horizontal{2.0, 5.0, 8.0, 5.0};
  const StripForce v = force_across<2>(s.sample(), vertical, {}), h = force_across<2>(s.sample(), horizontal, {});
  EXPECT_NEAR(v.radial, -2.0, 1e-12);
  EXPECT_NEAR(v.vertical, -0.5, 1e-12);
  EXPECT_NEAR(h.radial, 0.5, 1e-12);  // nu points down
  EXPECT_NEAR(h.vertical, 3.0, 1e-12);
  EXPECT_NEAR(reciprocity_residual(vertical, v, horizontal, h), 0.0, 1e-12);
  // An oblique cut at 45 degrees, between rows of centres, crosses one contact of each kind per step.
  const Strip oblique{2.6, 2.1, 7.6, 7.1};
  const StripForce o = force_across<2>(s.sample(), oblique, {});
  EXPECT_NEAR(o.radial, (-2.0 + 0.5) / std::sqrt(2.0), 1e-12);  // nu = (1, -1) / sqrt 2
  EXPECT_NEAR(o.vertical, (-0.5 + 3.0) / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(reciprocity_residual(vertical, v, oblique, o), 0.0, 1e-12);
}

TEST(Strips, asymmetric_stress_breaks_reciprocity) {
  StripForce on_vertical{1, 1.0, -2.0, -0.5, 0.0}, on_horizontal{1, 1.0, 1.5, 3.0, 0.0};
  EXPECT_NEAR(reciprocity_residual({1, 0, 1, 1}, on_vertical, {0, 1, 1, 1}, on_horizontal),
              1.0 / std::sqrt(std::hypot(2.0, 0.5) * std::hypot(1.5, 3.0)), 1e-12);
}

TEST(GroundPressure, rings_hold_all_the_weight) {
  SmallSample<3> s;
  s.gravity() = {{0, 0, -10}};
  const auto floor = s.plane({{0, 0, 0}}, {{0, 0, 1}}), side = s.plane({{5, 0, 0}}, {{-1, 0, 0}});
  const double w = 10 * 4.0 / 3.0 * pi;  // of each ball
  for (const Vec<3>& x : {Vec<3>{{0.5, 0, 1}}, Vec<3>{{0, 2.5, 1}}, Vec<3>{{2.5, 0, 1}}, Vec<3>{{4, 0, 1}}}) s.body(x, 1);
  for (int i = 0; i < 3; ++i) s.contact(i, floor, w);
  s.contact(3, floor, 0.75 * w), s.contact(3, side, 0.5 * w, {{0, 0, 0.25 * w}});  // the wall takes a quarter by friction
  const auto rings = ground_pressure<3>(s.sample(), {}, 2.0);
  ASSERT_EQ(rings.size(), 3u);
  EXPECT_NEAR(rings[0].pressure(), w / (pi * 4), 1e-12);
  EXPECT_NEAR(rings[1].pressure(), 2 * w / (pi * 12), 1e-12);
  EXPECT_NEAR(rings[2].force, 0.75 * w, 1e-12);
  const WeightBalance b = weight_balance(s.sample());
  EXPECT_NEAR(b.ground, 3.75 * w, 1e-12);
  EXPECT_NEAR(b.other_walls, 0.25 * w, 1e-12);
  EXPECT_NEAR(b.carried(), 1.0, 1e-14);
}

TEST(FossilLayer, window_and_slice_choose_the_grains) {
  SmallSample<3> s;
  s.body({{1, 0.4, 2}}, 0.1, BodyKind::free, {}, 5.0);     // in
  s.body({{1.2, -0.4, 3}}, 0.1, BodyKind::free, {}, 6.9);  // in
  s.body({{-1, 0, 2}}, 0.1, BodyKind::free, {}, 7.0);      // too late
  s.body({{-1, 0.6, 2}}, 0.1, BodyKind::free, {}, 6.0);    // out of the slice
  s.body({{0, 0, 0}}, 0.1, BodyKind::fixed, {}, 6.0);      // no grain of the heap
  const auto layer = fossil_layer<3>(s.sample(), 5.0, 7.0, 1.0, {});
  ASSERT_EQ(layer.size(), 2u);
  const LayerLine line = layer_line(layer, 0.5);
  ASSERT_EQ(line.x.size(), 1u);
  EXPECT_DOUBLE_EQ(line.x[0], 1.25);
  EXPECT_DOUBLE_EQ(line.height[0], 2.5);
  EXPECT_DOUBLE_EQ(line.spread[0], 0.5);
}

// A heap of radius 10: grains filled at random below a cone of the given slope, all said to touch something.
template <int D>
SmallSample<D> cone(double slope, int grains) {
  SmallSample<D> s;
  RandomStream random(9);
  const auto ground = s.body({}, 0.1, BodyKind::fixed);
  while (grains > 0) {
    Vec<D> x;
    for (int d = 0; d + 1 < D; ++d) x[d] = random.uniform(-10, 10);
    x[D - 1] = random.uniform(0, 10 * slope);
    const double radius = random.uniform(0.1, 0.2);
    if (x[D - 1] + radius > slope * (10 - distance_to_axis(x, Vec<D>{}))) continue;
    const auto i = s.body(x, radius);
    Vec<D> up{};
    up[D - 1] = 1.0;
    s.contact_at(i, ground, x, up, up);
    --grains;
  }
  return s;
}

TEST(HeapSlope, cones_of_known_angle) {
  for (const double degrees : {15.0, 26.0, 35.0}) {
    const double angle = degrees * pi / 180;
    const HeapSlope three = heap_slope<3>(cone<3>(std::tan(angle), 60000).sample(), {});
    EXPECT_NEAR(three.angle, angle, 0.5 * pi / 180);
    EXPECT_NEAR(three.angle, angle, 4 * three.uncertainty);
    EXPECT_EQ(three.sector_angle.size(), 12u);
    const HeapSlope two = heap_slope<2>(cone<2>(std::tan(angle), 4000).sample(), {});
    EXPECT_NEAR(two.angle, angle, 1.0 * pi / 180);
    EXPECT_NEAR(two.angle, angle, 4 * two.uncertainty);
    EXPECT_NEAR(two.height, 10 * std::tan(angle), 0.5);
  }
}

}  // namespace
}  // namespace moreau::measure
