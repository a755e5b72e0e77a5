// Contacts of blocks, discs and capsules in the plane whose answer is seen by eye.
#include <gtest/gtest.h>

#include "polygon_samples.hpp"

namespace moreau::test {
namespace {

void expect_point(const ManifoldPoint<2>& c, double x, double y, double nx, double ny, double gap, double error = 1e-14) {
  EXPECT_NEAR(c.point[0], x, error);
  EXPECT_NEAR(c.point[1], y, error);
  EXPECT_NEAR(c.normal[0], nx, error);
  EXPECT_NEAR(c.normal[1], ny, error);
  EXPECT_NEAR(c.gap, gap, error);
}
// The points from left to right.
Manifold<2> from_left(Manifold<2> m) {
  if (m.count == 2 && m.point[0].point[0] > m.point[1].point[0]) std::swap(m.point[0], m.point[1]);
  return m;
}
std::vector<std::uint32_t> names(const Manifold<2>& m) {
  std::vector<std::uint32_t> all;
  for (int k = 0; k < m.count; ++k) all.push_back(m.point[k].feature);
  return all;
}

//    +-----+
//    |  a  |           the ends of the narrower side, apart (predictive), touching and overlapping
//    +-----+
//   +--------+
//   |   b    |
//   +--------+
TEST(PolygonContactByHand, box_on_box_touches_at_the_two_ends_of_the_narrower_side) {
  const ConvexPart<2> a = box(1.0, 0.5), b = box(3.0, 1.0);
  for (const double gap : {0.1, 1e-9, 0.0, -1e-9, -0.01}) {
    const Manifold<2> m = from_left(contacts(a, pose(0.5, 1.5 + gap), b, pose(0.0, 0.0), 0.1 + 1e-12));
    ASSERT_EQ(m.count, 2) << gap;
    expect_point(m.point[0], -0.5, 1.0 + 0.5 * gap, 0.0, 1.0, gap);
    expect_point(m.point[1], 1.5, 1.0 + 0.5 * gap, 0.0, 1.0, gap);
  }
  EXPECT_EQ(contacts(a, pose(0.5, 1.6), b, pose(0.0, 0.0), 0.1 - 1e-12).count, 0);
}

//      +-----+
//      |  a  |         a corner of each ends the shared interval
//      +-----+
//   +-----+
//   |  b  |
//   +-----+
TEST(PolygonContactByHand, offset_boxes_touch_at_the_ends_of_the_shared_interval) {
  const ConvexPart<2> a = box(1.0, 1.0), b = box(1.0, 1.0);
  const Manifold<2> m = from_left(contacts(a, pose(1.5, 2.0), b, pose(0.0, 0.0), 0.01));
  ASSERT_EQ(m.count, 2);
  expect_point(m.point[0], 0.5, 1.0, 0.0, 1.0, 0.0);
  expect_point(m.point[1], 1.0, 1.0, 0.0, 1.0, 0.0);
}

//       .^.
//      < a >           turned by 45 degrees
//   +---`v'--+
//   |   b    |
TEST(PolygonContactByHand, box_on_its_corner_touches_at_one_point) {
  const double half_diagonal = std::sqrt(2.0);
  const ConvexPart<2> a = box(1.0, 1.0), b = box(3.0, 1.0);
  for (const double gap : {0.01, 0.0, -0.01}) {
    const Manifold<2> m = contacts(a, pose(0.3, 1.0 + half_diagonal + gap, std::numbers::pi / 4.0), b, pose(0.0, 0.0), 0.05);
    ASSERT_EQ(m.count, 1) << gap;
    expect_point(m.point[0], 0.3, 1.0 + 0.5 * gap, 0.0, 1.0, gap);
  }
}

// A block leaning by 0.05: both ends, as long as the far one is within the margin.
TEST(PolygonContactByHand, slightly_tilted_box_keeps_its_far_end_within_the_margin) {
  const ConvexPart<2> a = box(1.0, 1.0), b = box(3.0, 1.0);
  const double tilt = 0.05, c = std::cos(tilt), s = std::sin(tilt);
  const Pose<2> at = pose(0.0, 1.0 + c + s, tilt);  // its lower left corner touches
  const Manifold<2> both = from_left(contacts(a, at, b, pose(0.0, 0.0), 2.0 * s + 1e-9));
  ASSERT_EQ(both.count, 2);
  expect_point(both.point[0], -c + s, 1.0, 0.0, 1.0, 0.0);
  expect_point(both.point[1], c + s, 1.0 + s, 0.0, 1.0, 2.0 * s);
  const Manifold<2> one = contacts(a, at, b, pose(0.0, 0.0), 2.0 * s - 1e-9);
  ASSERT_EQ(one.count, 1);
  EXPECT_EQ(one.point[0].feature, both.point[0].feature);
}

//         +---+
//         | a |        nearest points are corners: the normal runs along their line
//         +---+
//   +---+
//   | b |
//   +---+
TEST(PolygonContactByHand, corner_faces_corner_along_their_line) {
  const ConvexPart<2> a = box(1.0, 1.0), b = box(1.0, 1.0);
  const Manifold<2> m = contacts(a, pose(2.3, 2.4), b, pose(0.0, 0.0), 1.0);
  ASSERT_EQ(m.count, 1);
  expect_point(m.point[0], 1.15, 1.2, 0.6, 0.8, 0.5);
  EXPECT_EQ(contacts(a, pose(2.3, 2.4), b, pose(0.0, 0.0), 0.49).count, 0);
}

// Equal squares that overlap corner to corner, equally deep to the left and down: rounding must not choose. From a to b, left is
// the more clockwise of the two.
TEST(PolygonContactByHand, equally_deep_corners_do_not_flicker) {
  const ConvexPart<2> a = box(1.0, 1.0), b = box(1.0, 1.0);
  for (const double depth : {0.1, 1e-4}) {
    for (const double noise : {0.0, 1e-9, -1e-9, 1e-15, -1e-15}) {
      const Pose<2> at_a = pose(2.0 - depth + noise, 2.0 - depth - noise, noise), at_b = pose(0.0, 0.0);
      const Manifold<2> m = contacts(a, at_a, b, at_b, 0.01), swapped = contacts(b, at_b, a, at_a, 0.01);
      ASSERT_GE(m.count, 1);
      EXPECT_NEAR(norm(m.point[0].normal - Vec<2>{{1.0, 0.0}}), 0.0, 1e-8) << depth << " " << noise;
      EXPECT_NEAR(norm(m.point[0].normal + swapped.point[0].normal), 0.0, 1e-8) << depth << " " << noise;
    }
  }
}

//    ( a )             on the side, at the corner (apart and overlapping), inside
//   +-------+
TEST(PolygonContactByHand, disc_on_a_side_and_at_a_corner) {
  const ConvexPart<2> disc = ball_part<2>({{0.0, 0.0}}, 0.5), b = box(2.0, 1.0);
  Manifold<2> m = contacts(disc, pose(0.7, 1.45), b, pose(0.0, 0.0), 0.1);
  ASSERT_EQ(m.count, 1);
  expect_point(m.point[0], 0.7, 0.975, 0.0, 1.0, -0.05);
  const std::uint32_t name = m.point[0].feature;
  m = contacts(disc, pose(2.3, 1.4), b, pose(0.0, 0.0), 0.1);
  ASSERT_EQ(m.count, 1);
  expect_point(m.point[0], 2.0, 1.0, 0.6, 0.8, 0.0);
  EXPECT_EQ(m.point[0].feature, name) << "rolling over a corner is one contact";
  m = contacts(disc, pose(1.9, 0.5), b, pose(0.0, 0.0), 0.1);
  ASSERT_EQ(m.count, 1);
  expect_point(m.point[0], 1.7, 0.5, 1.0, 0.0, -0.6);  // half-way between x = 1.4 of the disc and 2.0 of the box
}

TEST(PolygonContactByHand, two_discs) {
  const ConvexPart<2> a = ball_part<2>({{0.0, 0.0}}, 0.5), b = ball_part<2>({{1.0, 0.0}}, 1.0);
  const Manifold<2> m = contacts(a, pose(0.0, 2.0), b, pose(0.0, 0.0, std::numbers::pi / 2.0), 0.0);  // b's centre at (0, 1)
  ASSERT_EQ(m.count, 1);
  expect_point(m.point[0], 0.0, 1.75, 0.0, 1.0, -0.5);
  const Manifold<2> same_centre = contacts(a, pose(0.0, 0.0), a, pose(0.0, 0.0), 0.0);
  ASSERT_EQ(same_centre.count, 1);
  EXPECT_EQ(same_centre.point[0].gap, -1.0);
  EXPECT_NEAR(norm(same_centre.point[0].normal), 1.0, 1e-15);
}

//  (======)            lying: both ends; upright: one; end to end; crossing
//  +-------+
TEST(PolygonContactByHand, capsules) {
  const ConvexPart<2> a = capsule_part<2>({{-1.0, 0.0}}, {{1.0, 0.0}}, 0.25), b = box(3.0, 1.0);
  Manifold<2> m = from_left(contacts(a, pose(0.0, 1.25), b, pose(0.0, 0.0), 0.01));
  ASSERT_EQ(m.count, 2);
  expect_point(m.point[0], -1.0, 1.0, 0.0, 1.0, 0.0);
  expect_point(m.point[1], 1.0, 1.0, 0.0, 1.0, 0.0);
  m = contacts(a, pose(0.0, 2.25, std::numbers::pi / 2.0), b, pose(0.0, 0.0), 0.01);
  ASSERT_EQ(m.count, 1);
  expect_point(m.point[0], 0.0, 1.0, 0.0, 1.0, 0.0);
  m = contacts(a, pose(2.6, 0.0), a, pose(0.0, 0.0), 0.2);  // collinear: no side is between them
  ASSERT_EQ(m.count, 1);
  expect_point(m.point[0], 1.3, 0.0, 1.0, 0.0, 0.1);
  m = from_left(contacts(a, pose(0.5, 0.6), a, pose(0.0, 0.0), 0.2));  // side by side
  ASSERT_EQ(m.count, 2);
  expect_point(m.point[0], -0.5, 0.3, 0.0, 1.0, 0.1);
  expect_point(m.point[1], 1.0, 0.3, 0.0, 1.0, 0.1);
  m = contacts(a, pose(0.0, 0.75, std::numbers::pi / 2.0), a, pose(0.0, 0.0), 0.0);  // crossing, 0.25 from its lower end
  ASSERT_GE(m.count, 1);
  EXPECT_NEAR(least_gap(m), -0.75, 1e-14);
  EXPECT_NEAR(m.point[0].normal[1], 1.0, 1e-14);
}

TEST(PolygonContactByHand, rounded_blocks_touch_at_their_radii) {
  const ConvexPart<2> a = box(1.0, 1.0, 0.2), b = box(2.0, 1.0, 0.1);
  const Manifold<2> m = from_left(contacts(a, pose(0.0, 2.3), b, pose(0.0, 0.0), 0.01));
  ASSERT_EQ(m.count, 2);
  expect_point(m.point[0], -1.0, 1.1, 0.0, 1.0, 0.0);
  expect_point(m.point[1], 1.0, 1.1, 0.0, 1.0, 0.0);
  const Manifold<2> corner = contacts(a, pose(3.0 + 0.18, 2.0 + 0.24), b, pose(0.0, 0.0), 0.01);
  ASSERT_EQ(corner.count, 1);
  expect_point(corner.point[0], 2.06, 1.08, 0.6, 0.8, 0.0);
}

// Names along a slide over a long side; a step, an overlap or a small tilt more or less does not matter.
TEST(PolygonContactByHand, names_last_while_a_block_slides_and_rocks) {
  const ConvexPart<2> a = box(1.0, 1.0), b = box(20.0, 1.0);
  const auto at_start = names(contacts(a, pose(-18.0, 2.0), b, pose(0.0, 0.0), 0.1));
  ASSERT_EQ(at_start.size(), 2u);
  RandomStream random(3);
  for (int k = 0; k <= 3600; ++k) {
    const Pose<2> at = pose(-18.0 + 0.01 * k, 2.0 + random.uniform(-1e-3, 1e-3), random.uniform(-0.02, 0.02));
    ASSERT_EQ(names(contacts(a, at, b, pose(0.0, 0.0), 0.1)), at_start) << k;
  }
}

// A column of equal blocks: both corners end the interval, and rounding does not decide which names it.
TEST(PolygonContactByHand, names_and_normals_last_in_a_column_of_equal_blocks) {
  const ConvexPart<2> a = box(1.0, 1.0), b = box(1.0, 1.0);
  const auto at_rest = names(contacts(a, pose(0.0, 2.0), b, pose(0.0, 0.0), 0.01));
  ASSERT_EQ(at_rest.size(), 2u);
  RandomStream random(4);
  for (int k = 0; k < 2000; ++k) {
    const double noise = k % 2 == 0 ? 1e-4 : 1e-12;
    const auto jitter = [&] { return random.uniform(-noise, noise); };
    const Manifold<2> m = contacts(a, pose(jitter(), 2.0 + jitter(), jitter()), b, pose(jitter(), jitter(), jitter()), 0.01);
    ASSERT_EQ(names(m), at_rest) << k;
    ASSERT_NEAR(norm(m.point[0].normal - Vec<2>{{0.0, 1.0}}), 0.0, 4.0 * noise + 1e-15) << k;
  }
}

// A polygon rolling over its corner keeps the name of that corner through all angles.
TEST(PolygonContactByHand, name_of_a_corner_lasts_while_the_block_turns_over_it) {
  const ConvexPart<2> a = box(1.0, 1.0), b = box(20.0, 1.0);
  const std::uint32_t name =
      contacts(a, pose(0.0, 1.0 + std::sqrt(2.0), std::numbers::pi / 4.0), b, pose(0.0, 0.0), 0.01).point[0].feature;
  for (double turn = 0.03; turn < 1.54; turn += 0.01) {
    const Vec<2> arm = Pose<2>(pose(0.0, 0.0, turn)).turn({{-1.0, -1.0}});
    const Manifold<2> m = contacts(a, pose(-arm[0], 1.0 - arm[1], turn), b, pose(0.0, 0.0), 0.01);
    ASSERT_EQ(m.count, 1) << turn;
    EXPECT_EQ(m.point[0].feature, name) << turn;
    EXPECT_NEAR(m.point[0].gap, 0.0, 1e-14);
  }
}

TEST(PolygonContactByHand, a_block_on_a_plane_wall_stands_on_its_two_ends) {
  const WallGeometry<2> floor{WallShape::plane, {{0.0, 1.0}}, {{0.0, 1.0}}, 0.0};
  const ConvexPart<2> a = box(1.0, 0.5, 0.1);
  Manifold<2> m;
  wall_manifold<2>(a, pose(3.0, 2.05), floor, {{0.0, 0.5}}, 0.2, m);  // the floor raised to 1.5
  m = from_left(m);
  ASSERT_EQ(m.count, 2);
  expect_point(m.point[0], 2.0, 1.475, 0.0, 1.0, -0.05);
  expect_point(m.point[1], 4.0, 1.475, 0.0, 1.0, -0.05);
  wall_manifold<2>(a, pose(3.0, 2.05, 0.3), floor, {{0.0, 0.5}}, 0.0, m);
  ASSERT_EQ(m.count, 1);
  wall_manifold<2>(a, pose(3.0, 2.05), floor, {{0.0, 0.5}}, 10.0, m);
  ASSERT_EQ(m.count, 2) << "all four within the margin: the lower two";
  EXPECT_LT(m.point[0].feature, m.point[1].feature);
  EXPECT_NEAR(std::max(m.point[0].gap, m.point[1].gap), -0.05, 1e-14);
  wall_manifold<2>(a, pose(3.0, 12.0), floor, {{0.0, 0.5}}, 1.0, m);
  EXPECT_EQ(m.count, 0);
}

TEST(PolygonContactByHand, a_block_inside_a_circle_stands_on_two_corners) {
  const WallGeometry<2> drum{WallShape::cylinder, {{0.0, 0.0}}, {}, 5.0};
  const ConvexPart<2> a = box(3.0, 1.0);
  Manifold<2> m;
  wall_manifold<2>(a, pose(0.0, -3.1), drum, {}, 0.0, m);  // corners at (+-3, -4.1): 0.08 beyond the circle
  m = from_left(m);
  ASSERT_EQ(m.count, 2);
  const double distance = std::hypot(3.0, 4.1), gap = 5.0 - distance;
  for (const int k : {0, 1}) {
    const double side = k == 0 ? -1.0 : 1.0;
    expect_point(m.point[k], side * 3.0 * (1.0 + 0.5 * gap / distance), -4.1 * (1.0 + 0.5 * gap / distance),
                 -side * 3.0 / distance, 4.1 / distance, gap);
  }
  const ConvexPart<2> disc = ball_part<2>({{0.0, 0.0}}, 1.0);
  wall_manifold<2>(disc, pose(0.0, 0.0), drum, {}, 5.0, m);  // at the centre
  ASSERT_EQ(m.count, 1);
  EXPECT_EQ(m.point[0].gap, 4.0);
}

}  // namespace
}  // namespace moreau::test
