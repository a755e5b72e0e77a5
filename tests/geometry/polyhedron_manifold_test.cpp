// Contact points of polyhedra, balls and capsules in space: cases by hand, and random pairs against slow independent answers.
#include <set>

#include "geometry/polyhedron_oracle.hpp"

namespace moreau {
namespace {

using namespace oracle;

constexpr double quarter_turn = 1.5707963267948966;
Rotation<3> about(const Vec<3>& axis, double angle) { return turned(Rotation<3>{}, axis, angle); }
const Vec<3> x_axis{{1.0, 0.0, 0.0}}, y_axis{{0.0, 1.0, 0.0}}, z_axis{{0.0, 0.0, 1.0}};

void expect_near(const Vec<3>& a, const Vec<3>& b, double tolerance = 1e-12) {
  EXPECT_LE(norm(a - b), tolerance) << a[0] << " " << a[1] << " " << a[2];
}

//   +---+
//   | a |
//   +---+---+    two parallel edges on each other, turned by next to nothing: they cross somewhere, and the point is on both
//       | b |
//       +---+
TEST(PolyhedronManifold, cubes_edge_on_edge_touch_at_points_of_both_whatever_the_angle) {
  const ConvexPart<3> cube = box(0.5, 0.5, 0.5);
  RandomStream random(7);
  const auto vector = [&](double size) {
    return Vec<3>{{random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)}};
  };
  const auto outside = [](const Vec<3>& x) { return std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])}) - 0.5; };
  int touching = 0;
  for (const double angle : {0.0, 1e-16, 1e-14, 1e-12, 1e-10, 3e-9, 1e-8, 3e-8, 1e-7, 1e-6, 1e-4})
    for (int k = 0; k < 3000; ++k) {
      const Vec<3> apart = k % 2 == 0 ? Vec<3>{{0.55, 1.0, 1.0}} : Vec<3>{{0.0, 1.0, 1.0}};
      const Vec<3> spin_a = vector(angle), spin_b = vector(angle);
      const Pose<3> at_a = pose(vector(1e-12), turned(Rotation<3>{}, spin_a, 1.0)),
                    at_b = pose(apart + vector(1e-9), turned(Rotation<3>{}, spin_b, 1.0));
      const Manifold<3> m = contact(cube, at_a, cube, at_b, 1e-3);
      for (int i = 0; i < m.count; ++i, ++touching) {
        const double near = std::abs(m.point[i].gap) + 4e-9 + 2.0 * angle;  // how far the edges are from each other
        EXPECT_NEAR(norm(m.point[i].normal), 1.0, 1e-12);
        EXPECT_LE(outside(transposed_times(at_a.rotation, m.point[i].point - at_a.position)), near) << angle;
        EXPECT_LE(outside(transposed_times(at_b.rotation, m.point[i].point - at_b.position)), near) << angle;
      }
    }
  EXPECT_GT(touching, 10000);
}

//     +---+
//     | a |      flush, overlapping by 1e-6
//   +-+---+-+
//   |   b   |
//   +-------+
TEST(PolyhedronManifold, small_box_on_large_box_touches_at_its_four_corners) {
  const ConvexPart<3> a = box(0.5, 0.4, 0.3), b = box(1.0, 1.0, 1.0);
  for (const double gap : {-1e-3, -1e-6, 0.0, 1e-9, 1e-6, 1e-3}) {
    const Manifold<3> m = contact(a, pose({{0.1, 0.2, 1.3 + gap}}), b, pose({{0.0, 0.0, 0.0}}), 0.01);
    ASSERT_EQ(m.count, 4) << gap;
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(m.point[i].gap, gap, 1e-15);
      expect_near(m.point[i].normal, z_axis);
    }
    for (const double sx : {-0.5, 0.5})
      for (const double sy : {-0.4, 0.4}) EXPECT_TRUE(has_point(m, {{0.1 + sx, 0.2 + sy, 1.0 + 0.5 * gap}}));
  }
}

TEST(PolyhedronManifold, equal_boxes_offset_touch_at_the_corners_of_the_common_rectangle) {
  const ConvexPart<3> a = box(1.0, 1.0, 0.5);
  const Manifold<3> m = contact(a, pose({{0.7, -0.4, 1.0}}), a, pose({{0.0, 0.0, 0.0}}), 0.01);
  ASSERT_EQ(m.count, 4);
  for (const double x : {-0.3, 1.0})
    for (const double y : {-1.0, 0.6}) EXPECT_TRUE(has_point(m, {{x, y, 0.5}}));
}

TEST(PolyhedronManifold, box_turned_by_an_eighth_on_its_like_touches_at_eight_points) {
  const ConvexPart<3> a = box(1.0, 1.0, 0.5);
  const Manifold<3> m = contact(a, pose({{0.0, 0.0, 1.0}}, about(z_axis, 0.5 * quarter_turn)), a, pose({{0.0, 0.0, 0.0}}), 0.01);
  ASSERT_EQ(m.count, 8);
  const double half = std::sqrt(2.0) - 1.0;  // half side of the regular octagon
  for (const double s : {-half, half})
    for (const double t : {-1.0, 1.0}) {
      EXPECT_TRUE(has_point(m, {{s, t, 0.5}}));
      EXPECT_TRUE(has_point(m, {{t, s, 0.5}}));
    }
}

TEST(PolyhedronManifold, box_standing_on_an_edge_touches_at_its_two_ends_and_on_a_corner_at_one) {
  const ConvexPart<3> a = box(0.5, 0.5, 0.5), floor = box(2.0, 2.0, 1.0);
  const double on_edge = std::sqrt(0.5), on_corner = std::sqrt(0.75);
  Manifold<3> m = contact(a, pose({{0.0, 0.0, 1.0 + on_edge - 1e-5}}, about(x_axis, 0.5 * quarter_turn)), floor,
                          pose({{0.0, 0.0, 0.0}}), 0.01);
  ASSERT_EQ(m.count, 2);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(m.point[i].gap, -1e-5, 1e-14), expect_near(m.point[i].normal, z_axis);
  EXPECT_TRUE(has_point(m, {{0.5, 0.0, 1.0 - 0.5e-5}}));
  EXPECT_TRUE(has_point(m, {{-0.5, 0.0, 1.0 - 0.5e-5}}));
  const Rotation<3> tip = turned(about(z_axis, 0.5 * quarter_turn), x_axis, std::atan(std::sqrt(2.0)));  // diagonal upright
  for (const double gap : {-1e-5, 1e-5}) {
    m = contact(a, pose({{0.3, 0.2, 1.0 + on_corner + gap}}, tip), floor, pose({{0.0, 0.0, 0.0}}), 0.01);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.point[0].gap, gap, 1e-14);
    expect_near(m.point[0].point, {{0.3, 0.2, 1.0 + 0.5 * gap}});
    expect_near(m.point[0].normal, z_axis);
  }
}

TEST(PolyhedronManifold, crossed_edges_touch_at_one_point) {
  const ConvexPart<3> a = box(1.0, 0.3, 0.3), b = box(0.3, 1.0, 0.3);
  const double high = 0.3 * std::sqrt(2.0);
  for (const double gap : {-1e-4, -1e-9, 1e-9, 1e-4}) {
    const Manifold<3> m = contact(a, pose({{0.2, 0.1, high + gap}}, about(x_axis, 0.5 * quarter_turn)), b,
                                  pose({{0.0, 0.0, -high}}, about(y_axis, 0.5 * quarter_turn)), 0.01);
    ASSERT_EQ(m.count, 1) << gap;
    EXPECT_NEAR(m.point[0].gap, gap, 1e-14);
    expect_near(m.point[0].point, {{0.0, 0.1, 0.5 * gap}});
    expect_near(m.point[0].normal, z_axis);
  }
}

TEST(PolyhedronManifold, parallel_edges_touch_at_the_ends_of_their_common_stretch) {
  const ConvexPart<3> a = box(1.0, 0.3, 0.3);
  const double high = 0.3 * std::sqrt(2.0);
  const Rotation<3> r = about(x_axis, 0.5 * quarter_turn);
  const Manifold<3> m = contact(a, pose({{0.5, 0.0, 2.0 * high + 1e-4}}, r), a, pose({{0.0, 0.0, 0.0}}, r), 0.01);
  ASSERT_EQ(m.count, 2);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(m.point[i].gap, 1e-4, 1e-14), expect_near(m.point[i].normal, z_axis, 1e-10);
  EXPECT_TRUE(has_point(m, {{-0.5, 0.0, high + 0.5e-4}}));
  EXPECT_TRUE(has_point(m, {{1.0, 0.0, high + 0.5e-4}}));
}

TEST(PolyhedronManifold, ball_touches_face_edge_and_corner_of_a_box) {
  const ConvexPart<3> cube = box(1.0, 1.0, 1.0), ball = ball_part<3>({{0.0, 0.0, 0.0}}, 0.5);
  struct Case {
    Vec<3> foot, out;
  };
  const Case cases[] = {{{{0.3, -0.2, 1.0}}, z_axis},
                        {{{1.0, 0.3, 1.0}}, normalized(Vec<3>{{1.0, 0.0, 2.0}})},
                        {{{1.0, 1.0, 1.0}}, normalized(Vec<3>{{3.0, 1.0, 2.0}})}};
  for (const Case& c : cases)
    for (const double gap : {-0.49, -1e-3, 0.0, 1e-3}) {
      const Manifold<3> m = contact(ball, pose(c.foot + (0.5 + gap) * c.out), cube, pose({{0.0, 0.0, 0.0}}), 0.01);
      ASSERT_EQ(m.count, 1);
      EXPECT_NEAR(m.point[0].gap, gap, 1e-14);
      expect_near(m.point[0].normal, c.out, 1e-12);
      expect_near(m.point[0].point, c.foot + 0.5 * gap * c.out, 1e-13);
    }
  const Manifold<3> inside = contact(ball, pose({{0.0, 0.0, 0.9}}), cube, pose({{0.0, 0.0, 0.0}}), 0.01);
  ASSERT_EQ(inside.count, 1);
  EXPECT_NEAR(inside.point[0].gap, -0.6, 1e-14);
  expect_near(inside.point[0].normal, z_axis);
}

TEST(PolyhedronManifold, capsules_lie_stand_and_cross) {
  const ConvexPart<3> cube = box(1.0, 1.0, 1.0), capsule = capsule_part<3>({{-0.5, 0.0, 0.0}}, {{0.5, 0.0, 0.0}}, 0.2);
  const Pose<3> origin = pose({{0.0, 0.0, 0.0}});
  Manifold<3> m = contact(capsule, pose({{0.0, 0.0, 1.2 - 1e-5}}), cube, origin, 0.01);
  ASSERT_EQ(m.count, 2);
  EXPECT_TRUE(has_point(m, {{0.5, 0.0, 1.0 - 0.5e-5}}));
  EXPECT_TRUE(has_point(m, {{-0.5, 0.0, 1.0 - 0.5e-5}}));
  m = contact(capsule, pose({{0.8, 0.0, 1.2}}), cube, origin, 0.01);  // overhanging
  ASSERT_EQ(m.count, 2);
  EXPECT_TRUE(has_point(m, {{1.0, 0.0, 1.0}}));
  m = contact(capsule, pose({{0.0, 0.0, 1.7}}, about(y_axis, quarter_turn)), cube, origin, 0.01);
  ASSERT_EQ(m.count, 1);
  EXPECT_NEAR(m.point[0].gap, 0.0, 1e-14);
  m = contact(capsule, pose({{0.0, 0.0, 0.39}}), capsule, pose({{0.1, 0.0, 0.0}}, about(z_axis, quarter_turn)), 0.01);
  ASSERT_EQ(m.count, 1);
  EXPECT_NEAR(m.point[0].gap, -0.01, 1e-14);
  expect_near(m.point[0].point, {{0.1, 0.0, 0.195}});
  m = contact(capsule, pose({{0.3, 0.0, 0.4}}), capsule, origin, 0.01);
  ASSERT_EQ(m.count, 2);
  EXPECT_TRUE(has_point(m, {{0.5, 0.0, 0.2}}));
  EXPECT_TRUE(has_point(m, {{-0.2, 0.0, 0.2}}));
  m = contact(capsule, pose({{0.0, 0.0, 0.0}}), capsule, pose({{0.0, 0.0, 0.0}}, about(z_axis, quarter_turn)), 0.01);  // crossing
  ASSERT_EQ(m.count, 1);
  EXPECT_NEAR(m.point[0].gap, -0.4, 1e-14);
  EXPECT_NEAR(std::abs(m.point[0].normal[2]), 1.0, 1e-12);
}

TEST(PolyhedronManifold, nearly_parallel_faces_keep_the_whole_patch_within_the_margin) {
  const ConvexPart<3> a = box(0.5, 0.5, 0.5), b = box(1.0, 1.0, 1.0);
  for (const double angle : {1e-12, 1e-9, 1e-6, 1e-3, 0.02, 0.05}) {
    for (const Vec<3>& axis : {x_axis, y_axis, normalized(Vec<3>{{1.0, 2.0, 0.0}})}) {
      const Pose<3> at = pose({{0.1, 0.0, 1.5 + 0.5 * angle}}, about(axis, angle));
      const Manifold<3> m = contact(a, at, b, pose({{0.0, 0.0, 0.0}}), 0.11);
      EXPECT_EQ(m.count, 4) << angle;
      EXPECT_NEAR(least_gap(m), slow_gap(a, at, b, pose({{0.0, 0.0, 0.0}})), 1e-9);
      for (int i = 0; i < m.count; ++i) EXPECT_GT(m.point[i].normal[2], std::cos(1.01 * angle + 1e-7));
    }
  }
  EXPECT_EQ(contact(a, pose({{0.0, 0.0, 1.52}}, about(x_axis, 0.02)), b, pose({{0.0, 0.0, 0.0}}), 0.015).count, 2);
}

TEST(PolyhedronManifold, faces_of_many_corners_give_eight_points_that_span_the_patch) {
  Points p;
  for (int i = 0; i < 100; ++i)
    for (const double z : {-0.5, 0.5})
      p.push_back({{std::cos(0.0628318530717958647 * i), std::sin(0.0628318530717958647 * i), z}});
  const ConvexPart<3> drum = hull(p);
  ASSERT_EQ(drum.topology.faces.size(), 102u);
  const Manifold<3> m = contact(drum, pose({{0.3, 0.0, 1.0}}), drum, pose({{0.0, 0.0, 0.0}}, about(z_axis, 0.01)), 0.01);
  ASSERT_EQ(m.count, 8);
  double left = 1.0, right = 0.0, front = 0.0, back = 0.0;
  for (int i = 0; i < 8; ++i) {
    left = std::min(left, m.point[i].point[0]), right = std::max(right, m.point[i].point[0]);
    front = std::min(front, m.point[i].point[1]), back = std::max(back, m.point[i].point[1]);
  }
  EXPECT_LT(left, -0.65);  // the lens reaches from -0.7 to 1 and 0.9887 to either side
  EXPECT_GT(right, 0.9);
  EXPECT_LT(front, -0.9);
  EXPECT_GT(back, 0.9);
}

TEST(PolyhedronManifold, walls_touch_the_lowest_vertices) {
  const ConvexPart<3> cube = box(0.5, 0.5, 0.5, 0.1);
  const WallGeometry<3> floor{WallShape::plane, {{0.0, 0.0, -1.0}}, z_axis, 0.0};
  Manifold<3> m;
  wall_manifold<3>(cube, pose({{2.0, 3.0, -0.38}}), floor, {{0.0, 0.0, 0.01}}, 0.05, m);
  ASSERT_EQ(m.count, 4);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(m.point[i].gap, 0.01, 1e-14), expect_near(m.point[i].normal, z_axis);
  EXPECT_TRUE(has_point(m, {{2.5, 3.5, -0.985}}));
  wall_manifold<3>(cube, pose({{2.0, 3.0, -0.3}}), floor, {{0.0, 0.0, 0.0}}, 0.05, m);
  EXPECT_EQ(m.count, 0);
  // Inside a cylinder of radius 1 along z a cube of half side 0.5 pushed to x = 0.4 has two vertical edges at distance sqrt(0.9^2
  // + 0.5^2).
  const WallGeometry<3> tube{WallShape::cylinder, {{0.0, 0.0, 0.0}}, z_axis, 1.2};
  wall_manifold<3>(cube, pose({{0.4, 0.0, 7.0}}), tube, {{0.0, 0.0, 0.0}}, 0.1, m);
  ASSERT_EQ(m.count, 4);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(m.point[i].gap, 1.1 - std::sqrt(0.81 + 0.25), 1e-14);
}

// ---- random pairs ----

struct RandomPair {
  ConvexPart<3> a, b;
  Pose<3> at_a, at_b;
};
RandomPair random_pair(RandomStream& random, bool thin = true) {
  RandomPair pair{
      random_part(random, thin), random_part(random, thin), pose(random_vector(random, 3.0), random_rotation(random)), {}};
  const Vec<3> off = random.uniform(0.0, 1.1) * (pair.a.reach + pair.b.reach) * random_direction(random);
  pair.at_b = pose(pair.at_a.position + off, random.uniform() < 0.2 ? Rotation<3>{} : random_rotation(random));
  if (random.uniform() < 0.1) pair.at_a.rotation = pair.at_b.rotation;
  return pair;
}

TEST(PolyhedronManifold, least_gap_and_normal_agree_with_all_features_and_all_axes) {
  RandomStream random(1);
  int apart = 0, overlapping = 0, none = 0;
  for (int k = 0; k < 6000; ++k) {
    const RandomPair p = random_pair(random);
    const double expected = slow_gap(p.a, p.at_a, p.b, p.at_b);
    const Manifold<3> m = contact(p.a, p.at_a, p.b, p.at_b, 0.5);
    if (m.count == 0) {
      EXPECT_GT(expected, 0.5 - 1e-9) << k;
      ++none;
      continue;
    }
    ASSERT_NEAR(least_gap(m), expected, 1e-8) << k;
    ++(expected > -p.a.radius - p.b.radius ? apart : overlapping);
    // The normal is a direction along which the parts are that far apart: with the gap, this proves both.
    const double along = separation_along(placed(p.a, p.at_a), placed(p.b, p.at_b), m.point[0].normal) - p.a.radius - p.b.radius;
    ASSERT_NEAR(along, expected, 1e-8) << k;
    std::set<std::uint32_t> names;
    for (int i = 0; i < m.count; ++i) {
      EXPECT_TRUE(names.insert(m.point[i].feature).second);
      EXPECT_LE(m.point[i].gap, 0.5);
      EXPECT_NEAR(norm(m.point[i].normal), 1.0, 1e-12);
      EXPECT_EQ(m.point[i].normal, m.point[0].normal);
    }
  }
  EXPECT_GT(apart, 1000);
  EXPECT_GT(overlapping, 1000);
  EXPECT_GT(none, 100);
}

// The gap, and the normal as a direction along which the parts are that far apart.
void expect_exact(const RandomPair& p, double margin, double tolerance, double of_direction, int k) {
  const double expected = slow_gap(p.a, p.at_a, p.b, p.at_b);
  const Manifold<3> m = contact(p.a, p.at_a, p.b, p.at_b, margin);
  if (m.count == 0) {
    ASSERT_GT(expected, margin - tolerance) << k;
    return;
  }
  ASSERT_NEAR(least_gap(m), expected, tolerance) << k;
  const double along = separation_along(placed(p.a, p.at_a), placed(p.b, p.at_b), m.point[0].normal) - p.a.radius - p.b.radius;
  ASSERT_NEAR(along, expected, of_direction) << k;
}

TEST(PolyhedronManifold, parts_about_to_touch_and_just_overlapping_have_exact_gaps) {
  RandomStream random(11);
  for (int k = 0; k < 500 && !HasFatalFailure(); ++k) {
    RandomPair p = random_pair(random);
    const double size = std::pow(10.0, random.uniform(-12.0, -2.0)), gap = random.uniform() < 0.5 ? size : -size;
    const Vec<3> line = random_direction(random);
    double low = 0.0, high = 10.0;
    for (int i = 0; i < 55; ++i) {  // along a line, the gap of the slow way passes the value wanted
      const double middle = 0.5 * (low + high);
      p.at_b.position = p.at_a.position + middle * line;
      (slow_gap(p.a, p.at_a, p.b, p.at_b) < gap ? low : high) = middle;
    }
    expect_exact(p, 0.05, 1e-12, 1e-12, k);
  }
}

// Everything ties: boxes along the axes, shifted by multiples of their sides, up to tiny errors.
TEST(PolyhedronManifold, boxes_of_a_lattice_have_exact_gaps) {
  RandomStream random(12);
  const auto some = [&](std::initializer_list<double> values) { return *(values.begin() + random.next() % values.size()); };
  for (int k = 0; k < 6000 && !HasFatalFailure(); ++k) {
    RandomPair p;
    p.a = box(some({0.5, 1.0}), some({0.5, 1.0}), some({0.5, 1.0}), some({0.0, 0.0, 0.25}));
    p.b = box(some({0.5, 1.0}), some({0.5, 1.0}), some({0.5, 1.0}), some({0.0, 0.0, 0.25}));
    const double error = some({0.0, 1e-16, 1e-12, 1e-9, 1e-7, 1e-4});
    const Rotation<3> turn = about(some({0.0, 1.0}) > 0.5 ? x_axis : z_axis, some({0.0, 0.5, 1.0, 2.0}) * quarter_turn);
    p.at_a = pose(random_vector(random, error));
    p.at_b = pose(random_vector(random, error), turned(turn, random_direction(random), error));
    for (int d = 0; d < 3; ++d) p.at_b.position[d] += some({-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0});
    expect_exact(p, 0.3, 5e-9, 2e-6, k);  // nearest points 1e-9 apart give a direction to 1e-6
  }
}

// A grain on a large block, in any unit of length.
TEST(PolyhedronManifold, gaps_are_exact_whatever_the_unit_and_however_unequal_the_parts) {
  RandomStream random(13);
  for (int k = 0; k < 1500 && !HasFatalFailure(); ++k) {
    const double unit = std::pow(10.0, random.uniform(-6.0, 6.0)), ratio = std::pow(10.0, random.uniform(0.0, 3.0));
    RandomPair p = random_pair(random, false);
    const auto scaled = [](const ConvexPart<3>& part, double by) {
      Points points = part.vertices;
      for (Vec<3>& x : points) x *= by;
      return hull(points, by * part.radius);
    };
    p.a = scaled(p.a, unit * ratio);
    p.b = scaled(p.b, unit);
    p.at_a.position *= unit;
    const Vec<3> line = p.at_a.turn(random_direction(random));  // from the surface of the large one, outwards and inwards
    const double surface = -lowest(placed(p.a, {{}, p.at_a.rotation}), -line);
    p.at_b.position = p.at_a.position + (surface + random.uniform(-1.0, 1.5) * p.b.reach) * line;
    expect_exact(p, 0.5 * unit, 5e-9 * unit + 1e-15 * ratio * unit, 2e-8 * unit, k);
  }
}

TEST(PolyhedronManifold, nothing_but_the_sign_of_the_normal_changes_when_the_parts_change_places) {
  RandomStream random(2);
  int compared = 0;
  for (int k = 0; k < 3000; ++k) {
    const RandomPair p = random_pair(random);
    const Manifold<3> m = contact(p.a, p.at_a, p.b, p.at_b, 0.1), w = contact(p.b, p.at_b, p.a, p.at_a, 0.1);
    ASSERT_EQ(m.count, w.count) << k;
    if (m.count == Manifold<3>::capacity) {  // eight of more: which ones is decided by name, and names change with the places
      EXPECT_NEAR(least_gap(m), least_gap(w), 1e-8);
      EXPECT_LE(norm(m.point[0].normal + w.point[0].normal), 1e-7);
      continue;
    }
    for (int i = 0; i < m.count; ++i) {
      const auto* q =
          std::find_if(w.point, w.point + w.count, [&](const auto& o) { return norm(o.point - m.point[i].point) < 1e-8; });
      ASSERT_NE(q, w.point + w.count) << k;
      EXPECT_NEAR(q->gap, m.point[i].gap, 1e-8);
      EXPECT_LE(norm(q->normal + m.point[i].normal), 1e-7) << k;
      ++compared;
    }
  }
  EXPECT_GT(compared, 2000);
}

TEST(PolyhedronManifold, a_rigid_motion_of_both_carries_the_contact_along) {
  RandomStream random(3);
  for (int k = 0; k < 3000; ++k) {
    const RandomPair p = random_pair(random);
    const Rotation<3> turn = random_rotation(random);
    const Vec<3> shift = random_vector(random, 10.0);
    const auto moved = [&](const Pose<3>& at) {
      Pose<3> r;
      r.position = shift + rotate(turn, at.position);
      const Matrix<3> t = matrix_of(turn);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          r.rotation.row[i][j] = 0.0;
          for (int l = 0; l < 3; ++l) r.rotation.row[i][j] += t.row[i][l] * at.rotation.row[l][j];
        }
      return r;
    };
    const Manifold<3> m = contact(p.a, p.at_a, p.b, p.at_b, 0.1), w = contact(p.a, moved(p.at_a), p.b, moved(p.at_b), 0.1);
    ASSERT_EQ(m.count, w.count) << k;
    for (int i = 0; i < m.count; ++i) {
      EXPECT_EQ(m.point[i].feature, w.point[i].feature) << k;
      EXPECT_NEAR(m.point[i].gap, w.point[i].gap, 1e-9);
      EXPECT_LE(norm(rotate(turn, m.point[i].normal) - w.point[i].normal), 1e-7);
      EXPECT_LE(norm(shift + rotate(turn, m.point[i].point) - w.point[i].point), 1e-7);
    }
  }
}

// A translation by t changes the least gap by at most |t|, also where the cores begin to overlap.
TEST(PolyhedronManifold, least_gap_changes_by_no_more_than_the_motion) {
  RandomStream random(4);
  int crossings = 0;
  for (int k = 0; k < 600; ++k) {
    RandomPair p = random_pair(random);
    const double step = 0.01;
    const Vec<3> towards = step * normalized(p.at_a.position - p.at_b.position + random_vector(random, 0.3));
    double before = HUGE_VAL;
    for (int i = 0; i < 150; ++i, p.at_b.position += towards) {
      const Manifold<3> m = contact(p.a, p.at_a, p.b, p.at_b, 0.5);
      const double now = m.count > 0 ? least_gap(m) : HUGE_VAL;
      if (before < HUGE_VAL && now < HUGE_VAL) {
        ASSERT_LE(std::abs(now - before), step + 1e-8) << k << " " << i;
      }
      if (before < HUGE_VAL && now == HUGE_VAL) {
        ASSERT_GT(before, 0.5 - step - 1e-8);
      }
      crossings += before > 0.0 && now < 0.0 && before < HUGE_VAL;
      before = now;
    }
  }
  EXPECT_GT(crossings, 100);
}

TEST(PolyhedronManifold, blocks_that_rest_and_tremble_keep_the_names_of_their_points) {
  RandomStream random(5);
  const ConvexPart<3> brick = box(1.0, 0.5, 0.3), tile = hull(dodecahedron_points());
  const struct {
    const ConvexPart<3>&a, &b;
    Pose<3> at;
    double tremble;
  } cases[] = {
      {brick, brick, pose({{0.0, 0.0, 0.6}}), 1e-7},  // flush
      {brick, brick, pose({{1.0, 0.0, 0.6}}), 1e-7},  // half a brick on, sides flush
      {brick, brick, pose({{0.7, 0.2, 0.6}}), 1e-3},  // any offset
      {brick, brick, pose({{0.0, 0.0, 0.6}}, about(z_axis, 0.3)), 1e-3},
      {brick, brick, pose({{2.0, 0.0, 0.0}}), 1e-7},  // side by side
      {tile, tile,
       pose(2.0 * tile.topology.faces[0].offset * tile.topology.faces[0].normal, about(tile.topology.faces[0].normal, 0.2)),
       1e-3}};
  for (const auto& c : cases) {
    const Manifold<3> rest = contact(c.a, c.at, c.b, pose({{0.0, 0.0, 0.0}}), 0.01);
    ASSERT_GE(rest.count, 4);
    for (int k = 0; k < 300; ++k) {
      Pose<3> at = c.at;
      const Matrix<3> turn = matrix_of(turned(Rotation<3>{}, random_direction(random), c.tremble));
      for (int i = 0; i < 3; ++i) {
        Vec<3> row{};
        for (int l = 0; l < 3; ++l) row += turn.row[i][l] * c.at.rotation.row[l];
        at.rotation.row[i] = row;
      }
      at.position += random_vector(random, 0.3 * c.tremble);
      const Manifold<3> m = contact(c.a, at, c.b, pose({{0.0, 0.0, 0.0}}), 0.01);
      ASSERT_EQ(m.count, rest.count) << &c - cases;
      int kept = 0;
      for (int i = 0; i < m.count; ++i)
        kept += std::any_of(rest.point, rest.point + rest.count, [&](const auto& p) { return p.feature == m.point[i].feature; });
      // Of the ten corners of two pentagons eight are kept; the deepest, if it is one of the two, takes the place of another.
      ASSERT_GE(kept, &c.a == &tile ? 7 : rest.count) << &c - cases;
    }
  }
}

}  // namespace
}  // namespace moreau
