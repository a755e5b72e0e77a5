// Moreau's sweeping process (Moreau 2003, sec. 3; 2004, sec. 2; seed notes 1.16 and S8).
//
//        _____
//      /   q   \          a disc of radius 1 translates to the right at unit speed and drags the point q that it catches:
//     |    c    | -->     from (0, 1) the point follows the tractrix x = t - tanh t, y = 1 / cosh t
//      \ _____ /
#include "moreau/reproduce/sweeping_process.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace moreau {
namespace {

Vec<2> nearest_in_disc(const Vec<2>& centre, double radius, const Vec<2>& q) {
  const Vec<2> arm = q - centre;
  const double distance = norm(arm);
  return distance <= radius ? q : centre + (radius / distance) * arm;
}

Vec<2> disc(double t, const Vec<2>& q) { return nearest_in_disc({{t, 0}}, 1.0, q); }

MovingConstraint<2> disc_constraint(double t, const Vec<2>& q) {
  const Vec<2> arm = q - Vec<2>{{t, 0}};
  const double distance = norm(arm);
  return {distance - 1.0, -arm[0] / distance, (1.0 / distance) * arm};
}

Vec<2> tractrix(double t) { return {{t - std::tanh(t), 1.0 / std::cosh(t)}}; }

Vec<2> sweep(Vec<2> q, double end, int steps, const std::function<Vec<2>(double, const Vec<2>&)>& project) {
  for (int k = 1; k <= steps; ++k) q = catching_up_step(q, end * k / steps, project);
  return q;
}

TEST(SweepingProcess, catching_up_is_the_projection_and_leaves_inner_points_alone) {
  EXPECT_EQ(catching_up_step(Vec<2>{{0.3, 0.4}}, 0.5, disc), (Vec<2>{{0.3, 0.4}}));
  const Vec<2> caught = catching_up_step(Vec<2>{{-3, 4}}, 0.0, disc);
  EXPECT_DOUBLE_EQ(caught[0], -0.6);
  EXPECT_DOUBLE_EQ(caught[1], 0.8);
}

TEST(SweepingProcess, catching_up_converges_to_the_tractrix_with_order_one) {
  const double expected[] = {0.01691, 0.00863, 0.00436, 0.00219, 0.00110};
  double h = 0.1, before = 0.0;
  for (const double listed : expected) {
    const Vec<2> q = sweep({{0, 1}}, 2.0, static_cast<int>(std::lround(2.0 / h)), disc);
    const double error = norm(q - tractrix(2.0));
    EXPECT_NEAR(error, listed, 5.1e-6) << h;
    EXPECT_LE(norm(q - Vec<2>{{2, 0}}), 1.0 + 1e-15) << "inside";
    if (before > 0.0) {
      EXPECT_NEAR(before / error, 2.0, 0.05) << h;
    }
    before = error;
    h /= 2;
  }
}

TEST(SweepingProcess, explicit_scheme_ends_outside) {
  const double expected[] = {0.049, 0.0244, 0.0121, 0.0060};
  double h = 0.1;
  for (const double listed : expected) {
    const int steps = static_cast<int>(std::lround(2.0 / h));
    Vec<2> q{{0, 1}};
    for (int k = 0; k < steps; ++k) q = lazy_selector_step(q, k * h, h, disc_constraint);
    const double error = norm(q - tractrix(2.0)), outside = norm(q - Vec<2>{{2, 0}}) - 1.0;
    EXPECT_NEAR(error, listed, 0.02 * listed) << h;
    EXPECT_GT(outside, 0.9 * error) << h;
    h /= 2;
  }
}

TEST(SweepingProcess, lazy_selector_rests_inside_and_when_the_boundary_recedes) {
  EXPECT_EQ(lazy_selector<2>(disc_constraint(0.0, {{-0.5, 0}})), (Vec<2>{{0, 0}}));
  EXPECT_EQ(lazy_selector<2>(disc_constraint(0.0, {{1, 0}})), (Vec<2>{{0, 0}}));   // the front of the disc moves away
  EXPECT_EQ(lazy_selector<2>(disc_constraint(0.0, {{-1, 0}})), (Vec<2>{{1, 0}}));  // the rear pushes
}

// Two points swept by the same convex set never move apart (Moreau 2003, L153).
TEST(SweepingProcess, distance_between_two_points_never_grows) {
  Vec<2> a{{-0.9, 0.3}}, b{{0.2, -0.95}};
  double distance = norm(a - b);
  const double initial = distance;
  for (int k = 1; k <= 300; ++k) {
    const double t = 0.02 * k;
    const auto wandering = [](double time, const Vec<2>& q) {
      return nearest_in_disc({{2 * std::sin(time), std::cos(2 * time) - 1}}, 1.0 - 0.2 * std::sin(3 * time), q);
    };
    a = catching_up_step(a, t, wandering);
    b = catching_up_step(b, t, wandering);
    EXPECT_LE(norm(a - b), distance + 1e-15);
    distance = norm(a - b);
  }
  EXPECT_LT(distance, 0.5 * initial);
}

// Only the succession of sets counts, not the clock: the same sets at other times give the same points, bit for bit.
TEST(SweepingProcess, is_rate_independent) {
  Vec<2> steady{{0, 1}}, hasty{{0, 1}};
  for (int k = 1; k <= 100; ++k) {
    const double clock = std::pow(k / 100.0, 3);  // any increasing clock
    steady = catching_up_step(steady, 0.02 * k, disc);
    hasty = catching_up_step(hasty, clock, [k](double, const Vec<2>& q) { return disc(0.02 * k, q); });
    ASSERT_EQ(steady, hasty);
  }
  // ... and a set that pauses or advances by unequal steps leads to the same curve in the limit.
  const int steps = 20000;
  const Vec<2> uneven = sweep({{0, 1}}, 1.0, steps, [](double s, const Vec<2>& q) { return disc(2.0 * s * s, q); });
  EXPECT_LE(norm(uneven - tractrix(2.0)), 2e-4);
}

}  // namespace
}  // namespace moreau
