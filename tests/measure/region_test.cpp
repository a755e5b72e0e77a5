#include "moreau/measure/region.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "measure/small_sample.hpp"

namespace moreau::measure {
namespace {

using std::numbers::pi;

TEST(Region, rectangle_in_a_disc_has_the_area_of_the_classical_figures) {
  EXPECT_NEAR(rectangle_in_disc(-2, 2, -2, 2, 1), pi, 1e-14);
  EXPECT_NEAR(rectangle_in_disc(0, 2, 0, 2, 1), pi / 4, 1e-14);
  EXPECT_NEAR(rectangle_in_disc(-0.5, 0.5, -0.5, 0.5, 1), 1.0, 1e-14);
  EXPECT_NEAR(rectangle_in_disc(0.5, 2, -2, 2, 1), pi / 3 - std::sqrt(3.0) / 4, 1e-14);  // cap of half angle 60 degrees
  EXPECT_NEAR(rectangle_in_disc(0.8, 2, 0.8, 2, 1), 0.0, 1e-15);
}

TEST(Region, rectangle_in_a_disc_agrees_with_counting_points) {
  const int n = 2000;
  const double x0 = -0.3, x1 = 0.95, y0 = -0.7, y1 = 0.6;
  int inside = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      inside += std::hypot(x0 + (i + 0.5) / n * (x1 - x0), y0 + (j + 0.5) / n * (y1 - y0)) < 0.9 ? 1 : 0;
  EXPECT_NEAR(rectangle_in_disc(x0, x1, y0, y1, 0.9), (x1 - x0) * (y1 - y0) * inside / (1.0 * n * n), 1e-4);
}

TEST(Region, rings_of_a_cylinder_add_up_to_it) {
  double sum = 0.0;
  for (int k = 0; k < 4; ++k) {
    Extent<3> ring;
    ring.low = {{-2, -2, 0}}, ring.high = {{2, 2, 3}};
    ring.inner = 0.5 * k, ring.outer = 0.5 * (k + 1);
    sum += ring.volume();
  }
  EXPECT_NEAR(sum, pi * 4.0 * 3.0, 1e-12);
}

TEST(Region, segment_through_a_ring_is_shared_as_drawn) {
  // From x = -3 to 3 through a ring between radii 1 and 2: two pieces of length 1 of a length of 6.
  Region<2> ring;
  ring.outside.inner = 1.0, ring.outside.outer = 2.0;
  EXPECT_NEAR(share_of_segment(ring, {{-3, 0}}, {{3, 0}}), 1.0 / 3.0, 1e-14);
  EXPECT_NEAR(share_of_segment(ring, {{0, -0.5}}, {{0, 0.5}}), 0.0, 1e-14);
  Region<2> frame = box(0, 0, 3, 3);
  frame.hole = box(1, 1, 2, 2).outside;
  EXPECT_NEAR(share_of_segment(frame, {{0, 1.5}}, {{3, 1.5}}), 2.0 / 3.0, 1e-14);
}

TEST(Region, cut_balls_count_for_their_cap) {
  // A plane at distance t R from the centre leaves 1/2 - (t sqrt(1-t^2) + asin t)/pi of a disc, (2+t)(1-t)^2/4 of a ball.
  for (const double t : {-0.9, -0.4, 0.0, 0.3, 0.7, 0.95}) {
    Region<2> half2 = box(t, -9, 9, 9);
    EXPECT_NEAR(share_of_ball<2>(half2, {{0, 0}}, 1.0), 0.5 - (t * std::sqrt(1 - t * t) + std::asin(t)) / pi, 0.01);
    for (int axis = 0; axis < 3; ++axis) {
      Region<3> half3;
      half3.outside.low[axis] = t;
      EXPECT_NEAR(share_of_ball<3>(half3, {{0, 0, 0}}, 1.0), (2 + t) * (1 - t) * (1 - t) / 4, 0.01) << axis;
    }
  }
}

TEST(Region, domain_is_bounded_by_walls_and_elsewhere_by_grains) {
  SmallSample<2> s;
  s.plane({{0, 0}}, {{1, 0}}), s.plane({{5, 0}}, {{-1, 0}});
  const auto floor = s.plane({{0, 0}}, {{0, 1}});
  s.contact(s.body({{1, 1}}, 1.0), floor, 1.0);
  s.body({{2, 40}}, 1.0);  // in flight: not part of the sample
  const Domain<2> d = domain_of(s.sample());
  EXPECT_EQ(d.shape.low, (Vec<2>{{0, 0}}));
  EXPECT_EQ(d.shape.high, (Vec<2>{{5, 2}}));
  EXPECT_TRUE(d.low_wall[1] && !d.high_wall[1]);
  EXPECT_NEAR(d.bulk(0.5)->volume(), 4.0 * 1.5, 1e-14);
  EXPECT_NEAR(d.skin(0.5).volume(), 10.0 - 6.0, 1e-14);
  EXPECT_FALSE(d.bulk(3.0));
  // A contact that overlaps a wall belongs to the sample; what flies above does not.
  EXPECT_TRUE(d.whole().contains({{5.001, -0.001}}));
  EXPECT_FALSE(d.whole().contains({{2, 40}}));
  EXPECT_NEAR(d.whole().volume(), 10.0, 1e-14);
}

}  // namespace
}  // namespace moreau::measure
