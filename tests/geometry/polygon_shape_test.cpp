// Hulls, areas, centres and moments of inertia in the plane: closed forms, unions against slices and random points, wrong input.
#include <gtest/gtest.h>

#include <limits>

#include "polygon_samples.hpp"

namespace moreau::test {
namespace {

constexpr double pi = std::numbers::pi;

ConvexPart<2> moved(ConvexPart<2> part, double x, double y) {
  for (Vec<2>& v : part.vertices) v += Vec<2>{{x, y}};
  part.centre += Vec<2>{{x, y}};
  return part;
}

void expect_shape(const PlacedShape<2>& p, double area, double x, double y, double gyration, double error = 1e-13) {
  ASSERT_EQ(p.fault, "");
  EXPECT_NEAR(p.shape.volume, area, error * area);
  EXPECT_NEAR(p.centre[0], x, error * (1.0 + std::abs(x)));
  EXPECT_NEAR(p.centre[1], y, error * (1.0 + std::abs(y)));
  EXPECT_NEAR(p.shape.gyration[0], gyration, error * gyration);
}

TEST(PolygonShape, hull_orders_points_and_drops_those_that_are_no_corners) {
  const std::vector<Vec<2>> points{{{1.0, 1.0}}, {{0.0, 0.0}}, {{0.5, 0.5}}, {{1.0, 0.0}}, {{0.0, 1.0}}, {{0.0, 0.0}},
                                   {{0.5, 0.0}}, {{1.0, 1.0}}, {{0.2, 0.7}}, {{0.0, 0.3}}, {{1.0, 0.5}}, {{1.0 + 1e-14, 0.7}}};
  const HullResult<2> hull = convex_hull<2>(points, 0.25);
  ASSERT_EQ(hull.fault, "");
  ASSERT_EQ(hull.part.vertices.size(), 4u);
  const std::vector<Vec<2>> expected{{{0.0, 0.0}}, {{1.0, 0.0}}, {{1.0, 1.0}}, {{0.0, 1.0}}};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(norm(hull.part.vertices[i] - expected[i]), 0.0, 1e-13) << i;
  EXPECT_NEAR(hull.part.reach, std::sqrt(0.5) + 0.25, 1e-12);
}

TEST(PolygonShape, hull_holds_all_points_and_is_strictly_convex) {
  RandomStream random(1);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<Vec<2>> points;
    const double scale = std::pow(10.0, random.uniform(-150.0, 150.0));  // squares of coordinates are still numbers
    for (int i = 0; i < 40; ++i) points.push_back({{scale * random.uniform(-1.0, 1.0), scale * random.uniform(3.0, 4.0)}});
    const HullResult<2> hull = convex_hull<2>(points);
    ASSERT_EQ(hull.fault, "");
    const std::vector<Vec<2>>& v = hull.part.vertices;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const Vec<2> side = (1.0 / scale) * (v[(i + 1) % v.size()] - v[i]), next = (1.0 / scale) * (v[(i + 2) % v.size()] - v[i]);
      EXPECT_GT(moment(side, next)[0], 0.0);
      for (const Vec<2>& x : points) EXPECT_GE(moment(side, (1.0 / scale) * (x - v[i]))[0], -1e-12);
      EXPECT_LE(norm((1.0 / scale) * (v[i] - hull.part.centre)), hull.part.reach / scale * (1.0 + 1e-14));
    }
  }
}

TEST(PolygonShape, hull_says_what_is_wrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto fault = [](std::vector<Vec<2>> points, double radius = 0.0) { return convex_hull<2>(points, radius).fault; };
  EXPECT_NE(fault({}).find("0 vertices"), std::string::npos);
  EXPECT_NE(fault({{{1.0, 2.0}}}).find("1 vertices"), std::string::npos);
  EXPECT_NE(fault({{{1.0, 2.0}}, {{1.0, 3.0}}}).find("2 vertices"), std::string::npos);
  EXPECT_NE(fault({{{1.0, 2.0}}, {{1.0, 2.0}}, {{1.0, 2.0}}}).find("coincide"), std::string::npos);
  EXPECT_NE(fault({{{0.0, 0.0}}, {{1.0, 1.0}}, {{2.0, 2.0}}, {{3.0, 3.0}}}).find("in a line"), std::string::npos);
  EXPECT_NE(fault({{{0.0, 0.0}}, {{0.1, 0.3}}, {{0.2, 0.6}}, {{0.3, 0.9}}}).find("in a line"), std::string::npos)
      << "up to rounding";
  EXPECT_NE(fault({{{0.0, 0.0}}, {{1.0, 0.0}}, {{1.0, 0.0}}, {{0.0, 0.0}}}).find("in a line"), std::string::npos);
  EXPECT_NE(fault({{{0.0, 0.0}}, {{1.0, nan}}, {{0.0, 1.0}}}).find("vertex 2"), std::string::npos);
  EXPECT_NE(fault({{{0.0, 0.0}}, {{1.0, 0.0}}, {{inf, 1.0}}}).find("vertex 3"), std::string::npos);
  EXPECT_NE(fault({{{1e10, 0.0}}, {{1e10 + 1.0, 0.0}}, {{1e10, 1.0}}}).find("distance"), std::string::npos);
  EXPECT_NE(fault({{{-1e308, 0.0}}, {{1e308, 0.0}}, {{0.0, 1e308}}}).find("too far apart"), std::string::npos);
  EXPECT_NE(fault({{{0.0, 0.0}}, {{1.0, 0.0}}, {{0.0, 1.0}}}, -0.1).find("radius is -0.1"), std::string::npos);
  EXPECT_NE(fault({{{0.0, 0.0}}, {{1.0, 0.0}}, {{0.0, 1.0}}}, nan).find("radius"), std::string::npos);
  EXPECT_EQ(fault({{{1e8, 0.0}}, {{1e8 + 1.0, 0.0}}, {{1e8, 1.0}}}), "");
}

TEST(PolygonShape, closed_forms) {
  expect_shape(make_shape<2>({moved(box(1.5, 0.5), 2.0, -1.0)}), 3.0, 2.0, -1.0, (9.0 + 1.0) / 12.0);
  const double r = 0.7, l = 3.0;
  expect_shape(make_shape<2>({ball_part<2>({{-1.0, 2.0}}, r)}), pi * r * r, -1.0, 2.0, 0.5 * r * r);
  // Triangle with legs 3 and 4: I about the centre = m (a^2 + b^2 + c^2) / 36.
  expect_shape(make_shape<2>({polygon({{{0.0, 0.0}}, {{3.0, 0.0}}, {{0.0, 4.0}}})}), 6.0, 1.0, 4.0 / 3.0, 50.0 / 36.0);
  // Regular hexagon of side s: 5 s^2 / 12.
  std::vector<Vec<2>> hexagon;
  for (int k = 0; k < 6; ++k) hexagon.push_back({{5.0 + 2.0 * std::cos(k * pi / 3.0), 2.0 * std::sin(k * pi / 3.0)}});
  expect_shape(make_shape<2>({polygon(hexagon)}), 6.0 * std::sqrt(3.0), 5.0, 0.0, 20.0 / 12.0);
  // Capsule: a rectangle l by 2 r and two half-discs, whose centres of mass lie 4 r / (3 pi) beyond its ends.
  const double bar = 2.0 * r * l, ends = pi * r * r, d = 4.0 * r / (3.0 * pi);
  const double inertia = bar * (l * l + 4.0 * r * r) / 12.0 + ends * (0.5 * r * r - d * d + (0.5 * l + d) * (0.5 * l + d));
  expect_shape(make_shape<2>({capsule_part<2>({{1.0, 1.0}}, {{1.0, 1.0 + l}}, r)}), bar + ends, 1.0, 1.0 + 0.5 * l,
               inertia / (bar + ends));
  // Rounded box: box, four strips, four quarter discs that make one disc moved to the corners.
  const double w = 2.0, h = 1.0, q = 0.3, quarter = 0.25 * pi * q * q, e = 4.0 * q / (3.0 * pi);
  const double area = w * h + 2.0 * q * (w + h) + pi * q * q;
  double second = w * h * (w * w + h * h) / 12.0;
  second += 2.0 * q * w * ((w * w + q * q) / 12.0 + 0.25 * (h + q) * (h + q)) +
            2.0 * q * h * ((h * h + q * q) / 12.0 + 0.25 * (w + q) * (w + q));
  second += 4.0 * quarter * (0.5 * q * q - 2.0 * e * e + (0.5 * w + e) * (0.5 * w + e) + (0.5 * h + e) * (0.5 * h + e));
  expect_shape(make_shape<2>({box(0.5 * w, 0.5 * h, q)}), area, 0.0, 0.0, second / area);
}

TEST(PolygonShape, far_from_the_origin_few_digits_are_lost) {
  const PlacedShape<2> far = make_shape<2>({moved(box(1.0, 0.5, 0.25), 1e6, -3e6)}), near = make_shape<2>({box(1.0, 0.5, 0.25)});
  EXPECT_NEAR(far.shape.volume, near.shape.volume, 1e-8);
  EXPECT_NEAR(far.shape.gyration[0], near.shape.gyration[0], 1e-8);
  EXPECT_NEAR(far.centre[0], 1e6, 1e-8);
}

TEST(PolygonShape, parts_are_moved_to_the_centre_of_mass) {
  const PlacedShape<2> p = make_shape<2>({box(1.0, 1.0), moved(box(1.0, 1.0), 2.0, 0.0)});
  expect_shape(p, 8.0, 1.0, 0.0, (16.0 + 4.0) / 12.0);
  EXPECT_EQ(p.shape.parts[0].centre, (Vec<2>{{-1.0, 0.0}}));
  EXPECT_EQ(p.shape.parts[1].centre, (Vec<2>{{1.0, 0.0}}));
  EXPECT_NEAR(p.shape.reach, std::hypot(2.0, 1.0), 1e-15);
  EXPECT_EQ(p.orientation.angle, 0.0);
}

//   +--+               the union of touching, overlapping, equal and nested parts counts once
//   |  +----+
//   |  |    |
TEST(PolygonShape, unions_with_closed_forms) {
  const ConvexPart<2> square = box(0.5, 0.5);
  // L of three squares that touch along sides.
  const double x = 1.0 / 3.0, g = (3.0 / 6.0 + (2.0 * x * x + (x * x + (1 - x) * (1 - x)) * 2.0)) / 3.0;
  expect_shape(make_shape<2>({square, moved(square, 1.0, 0.0), moved(square, 0.0, 1.0)}), 3.0, x, x, g);
  // Two boxes overlapping by half, sides in line: a box 1.5 by 1.
  expect_shape(make_shape<2>({square, moved(square, 0.5, 0.0)}), 1.5, 0.25, 0.0, (2.25 + 1.0) / 12.0);
  // The same part three times, and one inside that shares a side.
  expect_shape(make_shape<2>({square, square, square}), 1.0, 0.0, 0.0, 1.0 / 6.0);
  expect_shape(make_shape<2>({moved(box(0.25, 0.25), 0.25, 0.0), square}), 1.0, 0.0, 0.0, 1.0 / 6.0);
  expect_shape(make_shape<2>({square, moved(box(0.25, 0.25), 0.25, 0.0)}), 1.0, 0.0, 0.0, 1.0 / 6.0);
  // Plus of two bars, 3 by 1 each.
  expect_shape(make_shape<2>({box(1.5, 0.5), box(0.5, 1.5)}), 5.0, 0.0, 0.0, (2.0 * 3.0 * 10.0 / 12.0 - 2.0 / 12.0) / 5.0);
  // Boxes that touch along parts of sides of different length.
  expect_shape(make_shape<2>({box(2.0, 0.5), moved(box(0.5, 0.5), 0.0, 1.0)}), 5.0, 0.0, 0.2,
               (4.0 * 17.0 / 12.0 + 4.0 * 0.04 + 2.0 / 12.0 + 0.64) / 5.0);
  // Two equal discs at distance 1 of radius 1: the lens has area 2 pi / 3 - sqrt(3) / 2.
  const double lens = 2.0 * pi / 3.0 - std::sqrt(3.0) / 2.0;
  const PlacedShape<2> discs = make_shape<2>({ball_part<2>({{0.0, 0.0}}, 1.0), ball_part<2>({{1.0, 0.0}}, 1.0)});
  EXPECT_NEAR(discs.shape.volume, 2.0 * pi - lens, 1e-13);
  EXPECT_NEAR(discs.centre[0], 0.5, 1e-14);
  // A capsule made of a box and two discs, whose outlines meet in tangents.
  const PlacedShape<2> made = make_shape<2>({box(1.0, 0.5), ball_part<2>({{-1.0, 0.0}}, 0.5), ball_part<2>({{1.0, 0.0}}, 0.5)});
  const PlacedShape<2> capsule = make_shape<2>({capsule_part<2>({{-1.0, 0.0}}, {{1.0, 0.0}}, 0.5)});
  expect_shape(made, capsule.shape.volume, 0.0, 0.0, capsule.shape.gyration[0], 1e-12);
}

// An overlap by less than 1e-9 changes nothing beyond 1e-9; no threshold is felt on the way from apart to overlap.
TEST(PolygonShape, hair_thin_gaps_and_overlaps_do_no_harm) {
  for (const double gap : {1e-6, 1e-9, 1e-11, 1e-12, 1e-13, 1e-15, 0.0, -1e-15, -1e-13, -1e-12, -1e-11, -1e-9, -1e-6}) {
    const PlacedShape<2> p = make_shape<2>({box(0.5, 0.5), moved(box(0.5, 0.5), 1.0 + gap, 0.0)});
    EXPECT_NEAR(p.shape.volume, 2.0 + std::min(gap, 0.0), 1e-11) << gap;
    EXPECT_NEAR(p.shape.gyration[0], 5.0 / 12.0, 1e-11 + std::abs(gap)) << gap;
  }
}

// Second way: lines parallel to x meet the union in a union of intervals, each found by bisection on the part alone; sums of many
// lines.
struct Sliced {
  double area = 0.0, x = 0.0, y = 0.0, second = 0.0;
};
Sliced slice(const std::vector<ConvexPart<2>>& parts, int lines) {
  Sliced sum;
  const double span = 6.0, dy = 2.0 * span / lines;
  for (int k = 0; k < lines; ++k) {
    const double y = -span + (k + 0.5) * dy;
    std::vector<std::pair<double, double>> intervals;
    for (const ConvexPart<2>& part : parts) {  // x of the hull and of the discs about its corners and sides
      double low = HUGE_VAL, high = -HUGE_VAL;
      const auto extend = [&](double x) { low = std::min(low, x), high = std::max(high, x); };
      const std::size_t n = part.vertices.size();
      for (std::size_t i = 0; i < n; ++i) {
        const Vec<2>&p = part.vertices[i], &q = part.vertices[(i + 1) % n];
        if (const double h = y - p[1]; std::abs(h) < part.radius) {
          const double half = std::sqrt(part.radius * part.radius - h * h);
          extend(p[0] - half), extend(p[0] + half);
        }
        if (n == 1) continue;
        const Vec<2> along = normalized(q - p), out{{part.radius * along[1], -part.radius * along[0]}}, u = p + out, v = q + out;
        if ((u[1] < y) != (v[1] < y)) extend(u[0] + (y - u[1]) / (v[1] - u[1]) * (v[0] - u[0]));
      }
      if (low < high) intervals.push_back({low, high});
    }
    std::sort(intervals.begin(), intervals.end());
    double end = -HUGE_VAL;
    for (auto [low, high] : intervals) {
      low = std::max(low, end);
      if (high <= low) continue;
      end = high;
      sum.area += dy * (high - low), sum.x += dy * 0.5 * (high * high - low * low), sum.y += dy * y * (high - low);
      sum.second += dy * ((high * high * high - low * low * low) / 3.0 + y * y * (high - low));
    }
  }
  return sum;
}

TEST(PolygonShape, random_unions_against_slices) {
  RandomStream random(5);
  double worst = 0.0;
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<ConvexPart<2>> parts;
    const int count = 2 + static_cast<int>(4.0 * random.uniform());
    for (int i = 0; i < count; ++i)
      parts.push_back(moved(random_part(random), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)));
    const PlacedShape<2> p = make_shape<2>(parts);
    ASSERT_EQ(p.fault, "");
    const Sliced s = slice(parts, 160000);
    const double x = s.x / s.area, y = s.y / s.area, gyration = s.second / s.area - x * x - y * y;
    const double error = std::max({std::abs(p.shape.volume / s.area - 1.0), std::abs(p.centre[0] - x), std::abs(p.centre[1] - y),
                                   std::abs(p.shape.gyration[0] / gyration - 1.0)});
    EXPECT_LT(error, 1e-6) << "trial " << trial;  // of the slices: dy^1.5 = 6e-7 at the tops of arcs
    worst = std::max(worst, error);
  }
  RecordProperty("worst", std::to_string(worst));
}

TEST(PolygonShape, random_unions_against_random_points) {
  RandomStream random(6);
  for (int trial = 0; trial < 4; ++trial) {
    std::vector<ConvexPart<2>> parts;
    for (int i = 0; i < 4; ++i) parts.push_back(moved(random_part(random), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)));
    const PlacedShape<2> p = make_shape<2>(parts);
    const int points = 100000;
    const double half = 4.0, box_area = 4.0 * half * half;
    int hits = 0;
    for (int k = 0; k < points; ++k) {
      const Pose<2> at = pose(random.uniform(-half, half), random.uniform(-half, half));
      bool inside = false;
      for (const ConvexPart<2>& part : parts)
        inside = inside || signed_distance(part, pose(0.0, 0.0), ball_part<2>({{0.0, 0.0}}, 0.0), at) < 0.0;
      hits += inside;
    }
    const double share = static_cast<double>(hits) / points, deviation = box_area * std::sqrt(share * (1.0 - share) / points);
    EXPECT_NEAR(p.shape.volume, box_area * share, 4.0 * deviation);
  }
}

// However the parts are ordered, turned and moved: the same shape.
TEST(PolygonShape, the_union_does_not_depend_on_order_or_frame) {
  RandomStream random(7);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<ConvexPart<2>> parts;
    for (int i = 0; i < 4; ++i) parts.push_back(moved(random_part(random), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)));
    const PlacedShape<2> one = make_shape<2>(parts);
    std::reverse(parts.begin(), parts.end());
    const Pose<2> motion = random_pose(random, 3.0);
    for (ConvexPart<2>& part : parts) {
      for (Vec<2>& v : part.vertices) v = motion.place(v);
      part.centre = motion.place(part.centre);
    }
    const PlacedShape<2> two = make_shape<2>(parts);
    EXPECT_NEAR(two.shape.volume, one.shape.volume, 1e-12 * one.shape.volume) << trial;
    EXPECT_NEAR(two.shape.gyration[0], one.shape.gyration[0], 1e-12 * one.shape.gyration[0]) << trial;
    EXPECT_NEAR(norm(two.centre - motion.place(one.centre)), 0.0, 1e-12) << trial;
  }
}

TEST(PolygonShape, make_shape_says_what_is_wrong) {
  EXPECT_NE(make_shape<2>({}).fault.find("no parts"), std::string::npos);
  EXPECT_NE(make_shape<2>({ball_part<2>({{0.0, 0.0}}, 0.0)}).fault.find("area is zero"), std::string::npos);
  EXPECT_NE(make_shape<2>({box(1.0, 1.0), capsule_part<2>({{0.0, 0.0}}, {{1.0, 0.0}}, 0.0)}).fault.find("part 2"),
            std::string::npos);
  EXPECT_NE(make_shape<2>({ball_part<2>({{std::numeric_limits<double>::infinity(), 0.0}}, 1.0)}).fault.find("not finite"),
            std::string::npos);
  EXPECT_NE(make_shape<2>({ConvexPart<2>{}}).fault, "");
}

TEST(PolygonShape, a_capsule_of_no_length_is_a_ball) {
  EXPECT_EQ((capsule_part<2>({{1.0, 2.0}}, {{1.0, 2.0}}, 0.5).vertices.size()), 1u);
  EXPECT_EQ((capsule_part<3>({{1.0, 2.0, 3.0}}, {{1.0, 2.0, 3.0}}, 0.5).vertices.size()), 1u);
  const ConvexPart<3> capsule = capsule_part<3>({{0.0, 0.0, 0.0}}, {{0.0, 0.0, 2.0}}, 0.5);
  EXPECT_EQ(capsule.reach, 1.5);
  EXPECT_EQ(capsule.centre, (Vec<3>{{0.0, 0.0, 1.0}}));
}

}  // namespace
}  // namespace moreau::test
