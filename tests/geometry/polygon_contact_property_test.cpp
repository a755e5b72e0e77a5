// Contacts of random convex parts against a slow second computation of their distance, and what must hold whatever the parts are.
#include <gtest/gtest.h>

#include "polygon_samples.hpp"

namespace moreau::test {
namespace {

constexpr double size = 3.0;               // upper bound of the parts' extents
constexpr double tie = 1e-8 * 2.0 * size;  // the tolerance of equally deep axes, see polygon_manifold.cpp
constexpr double rounding_error = 1e-12;

struct Sample {
  ConvexPart<2> a, b;
  Pose<2> at_a, at_b;
};
Sample random_sample(RandomStream& random, double spread = 1.5) {
  Sample s{random_part(random), random_part(random), {}, {}};
  s.at_a = random_pose(random, spread), s.at_b = random_pose(random, spread);
  return s;
}

// Extent of a part along n.
double foremost(const ConvexPart<2>& part, const Pose<2>& at, const Vec<2>& n) {
  double most = -HUGE_VAL;
  for (const Vec<2>& x : placed(part, at)) most = std::max(most, dot(n, x));
  return most + part.radius;
}

TEST(PolygonContact, least_gap_is_the_distance_or_minus_the_least_translation_that_parts) {
  RandomStream random(1);
  int apart = 0, overlapping = 0, none = 0;
  for (int trial = 0; trial < 50000; ++trial) {
    const Sample s = random_sample(random);
    const double expected = signed_distance(s.a, s.at_a, s.b, s.at_b), margin = random.uniform(0.0, 1.0);
    const Manifold<2> m = contacts(s.a, s.at_a, s.b, s.at_b, margin);
    if (expected > margin + rounding_error) {
      EXPECT_EQ(m.count, 0) << "trial " << trial;
      ++none;
      continue;
    }
    if (expected > margin - rounding_error) continue;
    ASSERT_GT(m.count, 0) << "trial " << trial << " distance " << expected;
    ASSERT_NEAR(least_gap(m), expected, expected > 0.0 ? rounding_error : tie) << "trial " << trial;
    ++(expected > 0.0 ? apart : overlapping);
  }
  EXPECT_GT(apart, 5000);
  EXPECT_GT(overlapping, 5000);
  EXPECT_GT(none, 5000);
}

// The line across the normal separates the parts by the least gap exactly: it is a common tangent line.
TEST(PolygonContact, the_normal_separates_the_parts_by_the_least_gap) {
  RandomStream random(2);
  for (int trial = 0; trial < 30000; ++trial) {
    const Sample s = random_sample(random);
    const Manifold<2> m = contacts(s.a, s.at_a, s.b, s.at_b, 0.5);
    for (int k = 0; k < m.count; ++k) {
      const Vec<2> n = m.point[k].normal;
      ASSERT_NEAR(norm(n), 1.0, 1e-14);
      ASSERT_EQ(n, m.point[0].normal);
      ASSERT_NEAR(-foremost(s.a, s.at_a, -n) - foremost(s.b, s.at_b, n), least_gap(m), 1e-11) << "trial " << trial;
    }
  }
}

// From each point, half the gap and a radius along the normal lead to the outline of either core.
TEST(PolygonContact, points_lie_half_way_between_the_two_surfaces) {
  RandomStream random(3);
  const auto outside = [](const ConvexPart<2>& part, const Pose<2>& at, const Vec<2>& x) {
    return signed_distance(part, at, ball_part<2>({{0.0, 0.0}}, 0.0), {x, matrix_of(Rotation<2>{})});
  };
  for (int trial = 0; trial < 30000; ++trial) {
    const Sample s = random_sample(random);
    const Manifold<2> m = contacts(s.a, s.at_a, s.b, s.at_b, 0.3);
    for (int k = 0; k < m.count; ++k) {
      const ManifoldPoint<2>& c = m.point[k];
      const Vec<2> on_a = c.point + (0.5 * c.gap + s.a.radius) * c.normal, on_b = c.point - (0.5 * c.gap + s.b.radius) * c.normal;
      ASSERT_NEAR(outside(s.a, s.at_a, on_a), -s.a.radius, 1e-11) << "trial " << trial;  // on the core
      ASSERT_NEAR(outside(s.b, s.at_b, on_b), -s.b.radius, 1e-11) << "trial " << trial;
    }
  }
}

TEST(PolygonContact, swapping_the_parts_turns_the_normal_and_nothing_else) {
  RandomStream random(4);
  for (int trial = 0; trial < 30000; ++trial) {
    const Sample s = random_sample(random);
    const Manifold<2> one = contacts(s.a, s.at_a, s.b, s.at_b, 0.3), two = contacts(s.b, s.at_b, s.a, s.at_a, 0.3);
    ASSERT_EQ(one.count, two.count) << "trial " << trial;
    for (int k = 0; k < one.count; ++k) {
      const ManifoldPoint<2>& c = one.point[k];
      double nearest = HUGE_VAL;
      for (int l = 0; l < two.count; ++l)
        nearest = std::min(nearest, norm(two.point[l].point - c.point) + norm(two.point[l].normal + c.normal) +
                                        std::abs(two.point[l].gap - c.gap));
      ASSERT_LT(nearest, 1e-10) << "trial " << trial;
    }
  }
}

TEST(PolygonContact, moves_with_the_bodies_near_and_far_from_the_origin) {
  RandomStream random(5);
  for (int trial = 0; trial < 20000; ++trial) {
    const Sample s = random_sample(random);
    const double far = trial % 2 == 0 ? 3.0 : 1e6, turn = random.uniform(-3.0, 3.0);
    const Pose<2> motion = pose(random.uniform(-far, far), random.uniform(-far, far), turn);
    const auto moved = [&](const Pose<2>& at) {
      const Vec<2> x = motion.turn({{at.rotation.row[0][0], at.rotation.row[1][0]}});  // the turned first axis of the body
      return Pose<2>{motion.place(at.position), {{{{x[0], -x[1]}}, {{x[1], x[0]}}}}};
    };
    const Manifold<2> one = contacts(s.a, s.at_a, s.b, s.at_b, 0.3), two = contacts(s.a, moved(s.at_a), s.b, moved(s.at_b), 0.3);
    ASSERT_EQ(one.count, two.count) << "trial " << trial;
    const double error = 1e-14 * far + 1e-11;
    for (int k = 0; k < one.count; ++k) {
      ASSERT_EQ(one.point[k].feature, two.point[k].feature) << "trial " << trial;
      ASSERT_NEAR(one.point[k].gap, two.point[k].gap, error);
      ASSERT_NEAR(norm(motion.place(one.point[k].point) - two.point[k].point), 0.0, 10.0 * error) << "trial " << trial;
    }
  }
}

TEST(PolygonContact, names_are_unique_and_order_the_points) {
  RandomStream random(6);
  int pairs = 0;
  for (int trial = 0; trial < 30000; ++trial) {
    const Sample s = random_sample(random);
    const Manifold<2> m = contacts(s.a, s.at_a, s.b, s.at_b, 0.5);
    if (m.count < 2) continue;
    ASSERT_LT(m.point[0].feature, m.point[1].feature) << "trial " << trial;
    ++pairs;
  }
  EXPECT_GT(pairs, 5000);
}

// One part moves and turns smoothly through the other. Its points move at most by v + w * reach per unit of path, so does the
// gap.
TEST(PolygonContact, the_least_gap_is_lipschitz_along_smooth_motions) {
  RandomStream random(7);
  for (int trial = 0; trial < 400; ++trial) {
    const Sample s = random_sample(random, 0.2);
    const Vec<2> start{{random.uniform(-2.0, 2.0), random.uniform(-2.0, 2.0)}}, velocity = -1.3 * start;
    const double angle = random.uniform(-3.0, 3.0), spin = random.uniform(-2.0, 2.0), step = 1e-3;
    const double bound = (norm(velocity) + std::abs(spin) * size) * step + 2.0 * tie;
    double previous = HUGE_VAL;
    for (int k = 0; k < 1000; ++k) {
      const double t = step * k;
      const Pose<2> at = pose(start[0] + t * velocity[0], start[1] + t * velocity[1], angle + spin * t);
      const Manifold<2> m = contacts(s.a, s.at_a, s.b, at, 10.0);
      ASSERT_GT(m.count, 0);
      if (k > 0) {
        ASSERT_NEAR(least_gap(m), previous, bound) << "trial " << trial << " step " << k;
      }
      previous = least_gap(m);
    }
  }
}

// From apart to overlap and back, by less and less: gap and normal arrive at the same values from both sides where a corner meets
// a side.
TEST(PolygonContact, normal_and_gap_are_continuous_where_parts_begin_to_overlap) {
  RandomStream random(8);
  int checked = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Sample s = random_sample(random);
    s.a.reach -= s.a.radius, s.b.reach -= s.b.radius, s.a.radius = s.b.radius = 0.0;  // bare polygons
    if (s.a.vertices.size() < 3 || s.b.vertices.size() < 3) continue;
    const Manifold<2> before = contacts(s.a, s.at_a, s.b, s.at_b, 5.0);
    const double distance = least_gap(before);
    if (distance <= 0.0) continue;
    const Vec<2> n = before.point[0].normal;
    const auto moved = [&](double by) {
      Pose<2> at = s.at_b;
      at.position += by * n;
      return contacts(s.a, s.at_a, s.b, at, 5.0);
    };
    const Manifold<2> just_apart = moved(distance - 1e-7), just_over = moved(distance + 1e-7);
    ASSERT_NEAR(least_gap(just_apart), 1e-7, 1e-12) << "trial " << trial;
    const Vec<2> n_apart = just_apart.point[0].normal, n_over = just_over.point[0].normal;
    ASSERT_NEAR(norm(n_apart - n), 0.0, 1e-7) << "trial " << trial;
    ASSERT_NEAR(least_gap(just_over), 0.0, 1e-7 + 1e-12);  // two corners that meet may pass each other or cut in, by the way made
    bool side = false;                                     // the normal is that of a side
    for (const auto& [part, at] : {std::pair{&s.a, s.at_a}, std::pair{&s.b, s.at_b}}) {
      const std::vector<Vec<2>> x = placed(*part, at);
      for (std::size_t i = 0; i < x.size(); ++i) side = side || std::abs(dot(n, normalized(x[(i + 1) % x.size()] - x[i]))) < 1e-9;
    }
    if (!side) continue;
    ASSERT_NEAR(norm(n_over - n), 0.0, 1e-9) << "trial " << trial;
    ASSERT_NEAR(least_gap(just_over), -1e-7, 1e-12) << "trial " << trial;
    ++checked;
  }
  EXPECT_GT(checked, 2000);
}

// The daily bread of a wall: a side of one polygon laid along a side of another, nearly parallel, nearly touching, often flush at
// an end or at both.
struct Laid {
  ConvexPart<2> a, b;
  Pose<2> at_a, at_b;
  Vec<2> normal;   // of the side of a
  double overlap;  // length of the shared interval when parallel
};
Laid lay_along(RandomStream& random, double tilt, double gap, bool flush = true) {
  for (;;) {
    Laid s{random_part(random), random_part(random), random_pose(random, 1.0), {}, {}, 0.0};
    if (flush && random.uniform() < 0.2) s.b = s.a;
    if (s.a.vertices.size() < 3 || s.b.vertices.size() < 3) continue;
    const auto side = [&](const ConvexPart<2>& part, std::size_t i) {
      return std::pair{part.vertices[i], part.vertices[(i + 1) % part.vertices.size()]};
    };
    const auto [p, q] = side(s.a, random.next() % s.a.vertices.size());
    const auto [u, v] = side(s.b, random.next() % s.b.vertices.size());
    const double length_a = norm(q - p), length_b = norm(v - u);
    const double shifts[] = {random.uniform(-length_b, length_a), random.uniform(-length_b, length_a), 0.0, length_a - length_b};
    const double shift = shifts[flush ? random.next() % 4 : 0];  // half the time a corner of each lies at the same place
    s.overlap = std::min(length_a, shift + length_b) - std::max(0.0, shift);
    if (s.overlap < 0.1) continue;
    const Vec<2> along = normalized(s.at_a.turn(q - p));
    s.normal = {{along[1], -along[0]}};
    const double angle = std::atan2(-along[1], -along[0]) - std::atan2((v - u)[1], (v - u)[0]) + tilt;
    s.at_b = pose(0.0, 0.0, angle);
    // The end v of b's side at `shift` along a's side, `gap` away.
    s.at_b.position = s.at_a.place(p) + shift * along + (gap + s.a.radius + s.b.radius) * s.normal - s.at_b.turn(v);
    return s;
  }
}

TEST(PolygonContact, sides_laid_together_touch_at_two_points_with_the_normal_of_the_sides) {
  RandomStream random(10);
  for (int trial = 0; trial < 20000; ++trial) {
    const double tilts[] = {0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 1e-4, -1e-4};
    const double gaps[] = {1e-3, 1e-6, 1e-9, 1e-12, 0.0, -1e-12, -1e-9, -1e-6, -1e-4};
    const double tilt = tilts[random.next() % std::size(tilts)], gap = gaps[random.next() % std::size(gaps)];
    const Laid s = lay_along(random, tilt, gap);
    const Manifold<2> m = contacts(s.a, s.at_a, s.b, s.at_b, 0.01);
    ASSERT_EQ(m.count, 2) << "trial " << trial << " tilt " << tilt << " gap " << gap;
    // Between corners that are apart, the direction is as good as rounding allows at that distance; of features equally near to
    // rounding either may give it, between the normals of the two sides.
    const double between = std::max(gap + s.a.radius + s.b.radius, 1e-8 * (s.a.reach + s.b.reach)), error = 2e-15 / between;
    const double either = std::min(std::abs(tilt), 2e-8 / std::sqrt(between));
    ASSERT_LT(norm(m.point[0].normal + s.normal), std::abs(tilt) + 1e-12 + error) << "trial " << trial;
    ASSERT_NEAR(norm(m.point[0].point - m.point[1].point), s.overlap, 1e-3) << "trial " << trial;
    ASSERT_NEAR(least_gap(m), signed_distance(s.a, s.at_a, s.b, s.at_b), tie) << "trial " << trial;
    for (const int k : {0, 1}) ASSERT_NEAR(m.point[k].gap, gap, 4.0 * std::abs(tilt) + 1e-12) << "trial " << trial;
    const Manifold<2> swapped = contacts(s.b, s.at_b, s.a, s.at_a, 0.01);
    ASSERT_EQ(swapped.count, 2);
    ASSERT_LT(norm(m.point[0].normal + swapped.point[0].normal), 1e-7 + error + either) << "trial " << trial;
  }
}

TEST(PolygonContact, sides_tilted_by_three_degrees_keep_both_points_while_apart_and_touching) {
  RandomStream random(11);
  for (int trial = 0; trial < 20000; ++trial) {
    const double tilt = random.uniform(-0.05, 0.05), gap = random.uniform(0.0, 0.02);
    const Laid s = lay_along(random, tilt, 0.2 + gap, false);  // some way off, then moved together along the normal
    const double before = signed_distance(s.a, s.at_a, s.b, s.at_b);
    Pose<2> at = s.at_b;
    at.position += (gap - before) * s.normal;
    const Manifold<2> m = contacts(s.a, s.at_a, s.b, at, 0.2);
    ASSERT_EQ(m.count, 2) << "trial " << trial << " tilt " << tilt;
    ASSERT_LT(norm(m.point[0].normal + s.normal), std::abs(tilt) + 1e-6) << "trial " << trial;
  }
}

// A laid side jitters by rounding errors or by the tolerance of a solver: same names, same normal, same gaps.
TEST(PolygonContact, names_last_while_laid_sides_jitter) {
  RandomStream random(12);
  int lost = 0, trials = 20000;
  for (int trial = 0; trial < trials; ++trial) {
    const Laid s = lay_along(random, 0.0, 0.0);
    const Manifold<2> rest = contacts(s.a, s.at_a, s.b, s.at_b, 0.01);
    const double noise = 1e-7;
    Pose<2> at = s.at_b;
    at.position += Vec<2>{{random.uniform(-noise, noise), random.uniform(-noise, noise)}};
    const Manifold<2> m = contacts(s.a, s.at_a, s.b, at, 0.01);
    ASSERT_EQ(m.count, 2);
    ASSERT_NEAR(least_gap(rest), 0.0, 1e-12);
    ASSERT_LT(norm(m.point[0].normal - rest.point[0].normal), 1e-7);
    lost += m.point[0].feature != rest.point[0].feature || m.point[1].feature != rest.point[1].feature;
  }
  EXPECT_LE(lost, trials / 5000);  // corners that lie a thousandth of a side apart, to 1e-7
}

TEST(PolygonContact, does_not_depend_on_the_unit_of_length) {
  RandomStream random(13);
  for (int trial = 0; trial < 5000; ++trial) {
    const Sample s = random_sample(random);
    const double unit = trial % 2 == 0 ? 0x1p-40 : 0x1p60;  // powers of two: the same bits
    const auto scaled = [&](ConvexPart<2> part) {
      for (Vec<2>& x : part.vertices) x *= unit;
      part.radius *= unit, part.centre *= unit, part.reach *= unit;
      return part;
    };
    Pose<2> at_a = s.at_a, at_b = s.at_b;
    at_a.position *= unit, at_b.position *= unit;
    const Manifold<2> one = contacts(s.a, s.at_a, s.b, s.at_b, 0.3);
    const Manifold<2> two = contacts(scaled(s.a), at_a, scaled(s.b), at_b, 0.3 * unit);
    ASSERT_EQ(one.count, two.count);
    for (int k = 0; k < one.count; ++k) {
      ASSERT_EQ(unit * one.point[k].gap, two.point[k].gap);
      ASSERT_EQ(one.point[k].normal, two.point[k].normal);
      ASSERT_EQ(one.point[k].feature, two.point[k].feature);
    }
  }
}

// Squares on a grid: all kinds of exact ties. Neighbours touch along sides, diagonal ones in corners.
TEST(PolygonContact, squares_on_a_grid_have_sound_contacts) {
  const ConvexPart<2> square = box(0.5, 0.5);
  for (int dx = -2; dx <= 2; ++dx)
    for (int dy = -2; dy <= 2; ++dy)
      for (int quarter = 0; quarter < 4; ++quarter) {
        const Manifold<2> m = contacts(square, pose(dx, dy, quarter * std::numbers::pi / 2.0), square, pose(0.0, 0.0), 0.01);
        const int steps = std::abs(dx) + std::abs(dy);
        const bool touching = std::max(std::abs(dx), std::abs(dy)) <= 1;
        const bool side = steps == 1;
        ASSERT_EQ(m.count, !touching ? 0 : steps == 2 ? 1 : 2) << dx << " " << dy;
        if (side) {
          ASSERT_NEAR(norm(m.point[0].normal - Vec<2>{{1.0 * dx, 1.0 * dy}}), 0.0, 1e-15);
        }
        if (steps > 0 && touching) {
          ASSERT_NEAR(least_gap(m), 0.0, 1e-15);
        }
        if (steps == 2 && touching) {
          ASSERT_NEAR(norm(m.point[0].point - Vec<2>{{0.5 * dx, 0.5 * dy}}), 0.0, 1e-15);
        }
        if (steps == 0) {
          ASSERT_NEAR(least_gap(m), -1.0, 1e-15);
        }
      }
}

TEST(PolygonContact, least_gap_to_a_wall_is_that_of_the_nearest_corner) {
  RandomStream random(14);
  for (int trial = 0; trial < 20000; ++trial) {
    const ConvexPart<2> part = random_part(random);
    const Pose<2> at = random_pose(random, 2.0);
    const double angle = random.uniform(-3.0, 3.0), margin = random.uniform(0.0, 0.5);
    const Vec<2> point{{random.uniform(-1.0, 1.0), 0.0}}, shift{{0.0, random.uniform(-1.0, 1.0)}};
    const bool plane = trial % 2 == 0;
    const WallGeometry<2> wall{plane ? WallShape::plane : WallShape::cylinder, point, {{std::cos(angle), std::sin(angle)}}, 3.0};
    double expected = HUGE_VAL;  // sampled along the outline of the core, whose ends are its corners
    const std::vector<Vec<2>> x = placed(part, at);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int k = 0; k < 8; ++k) {
        const Vec<2> y = x[i] + (k / 8.0) * (x[(i + 1) % x.size()] - x[i]) - point - shift;
        expected = std::min(expected, (plane ? dot(y, wall.direction) : 3.0 - norm(y)) - part.radius);
      }
    Manifold<2> m;
    wall_manifold<2>(part, at, wall, shift, margin, m);
    if (expected > margin + 1e-12) {
      ASSERT_EQ(m.count, 0);
    } else if (expected < margin - 1e-12) {
      ASSERT_GT(m.count, 0);
      ASSERT_NEAR(least_gap(m), expected, 1e-12);
    }
  }
}

// A small motion keeps the names of nearly all contacts; those lost sit where another pair of features takes over.
TEST(PolygonContact, names_last_under_small_motions) {
  RandomStream random(9);
  int seen = 0, lost = 0;
  for (int trial = 0; trial < 30000; ++trial) {
    const Sample s = random_sample(random);
    const double margin = 0.05;
    const Manifold<2> one = contacts(s.a, s.at_a, s.b, s.at_b, margin);
    Pose<2> at = s.at_b;
    at.position += Vec<2>{{1e-6, -1e-6}};
    const Manifold<2> two = contacts(s.a, s.at_a, s.b, at, margin);
    for (int k = 0; k < one.count; ++k) {
      bool found = false;
      for (int l = 0; l < two.count; ++l) found = found || two.point[l].feature == one.point[k].feature;
      ++seen, lost += !found;
    }
  }
  EXPECT_GT(seen, 10000);
  EXPECT_LT(lost, seen / 2000);
}

}  // namespace
}  // namespace moreau::test
