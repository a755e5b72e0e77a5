// A ball on a slope, seen from the slope: gravity is tilted by theta.
//
//       o ->        rolls iff tan theta <= 3 mu (disc), 7/2 mu (ball), at 2/3 g sin theta, 5/7 g sin theta
//    -------        else slides at g (sin theta - mu cos theta), and spins up at mu g cos theta r m / I
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

struct Descent {
  double speed, rim_speed, slip;  // after `duration`; slip of the contact point
  std::size_t sticking, sliding;  // steps
};

constexpr double duration = 0.5, radius = 0.3, mass = 1.9;

template <int D>
Descent descend(double theta, double mu, double h, double inertia = ball_inertia<D>(radius, mass)) {
  Sample<D> s(h, {mu, 0.0, 0.0}, g * at<D>(std::sin(theta), -std::cos(theta)));
  s.floor().ball(at<D>(0, radius - 1e-9), radius, {}, {}, mass);
  s.bodies.parameters.inertia[0] = inertia;
  auto simulation = s.start();
  Descent d{};
  for (int n = 0; n < std::lround(duration / h); ++n) {
    const StepReport report = simulation.step();
    d.sticking += report.stick, d.sliding += report.slide;
  }
  const auto& state = simulation.state().bodies.state;
  d.speed = state.velocity[0][0];
  d.rim_speed = radius * forward_rate<D>(state.spin[0]);
  d.slip = d.speed - d.rim_speed;
  EXPECT_NEAR(state.position[0][0], 0.5 * d.speed * duration, 1e-12);  // constant acceleration is integrated exactly
  EXPECT_LE(std::abs(simulation.state().energy.error()), 1e-12);
  return d;
}

template <int D>
void rolling_and_sliding() {
  constexpr double k = inertia_factor<D>;
  for (const double degrees : {5.0, 20.0, 45.0, 70.0})
    for (const double h : {1e-3, 1e-2}) {
      const double theta = degrees * M_PI / 180, critical = std::tan(theta) / tangent_factor<D>;
      for (const double factor : {1.0 + 1e-6, 2.0, 10.0}) {
        const Descent d = descend<D>(theta, factor * critical, h);
        EXPECT_NEAR(d.speed, g * std::sin(theta) / (1 + k) * duration, 1e-12);
        EXPECT_NEAR(d.slip, 0.0, 1e-12);
        EXPECT_EQ(d.sliding, 0u);
      }
      for (const double factor : {1.0 - 1e-6, 0.5, 0.0}) {
        const double mu = factor * critical;
        const Descent d = descend<D>(theta, mu, h);
        EXPECT_NEAR(d.speed, g * (std::sin(theta) - mu * std::cos(theta)) * duration, 1e-12);
        EXPECT_NEAR(d.rim_speed, mu * g * std::cos(theta) / k * duration, 1e-12);
        EXPECT_GT(d.slip, 0.0);
        EXPECT_EQ(d.sticking, 0u);
      }
    }
}
TEST(Incline, disc_rolls_without_sliding_up_to_three_times_friction) { rolling_and_sliding<2>(); }
TEST(Incline, ball_rolls_without_sliding_up_to_seven_halves_of_friction) { rolling_and_sliding<3>(); }

TEST(Incline, textbook_accelerations) {
  EXPECT_NEAR(descend<2>(0.3, 1.0, 1e-3).speed / duration, 2.0 / 3.0 * g * std::sin(0.3), 1e-11);
  EXPECT_NEAR(descend<3>(0.3, 1.0, 1e-3).speed / duration, 5.0 / 7.0 * g * std::sin(0.3), 1e-11);
}

// A body that cannot turn is a block.
TEST(Incline, block_slides_when_slope_exceeds_friction) {
  const double theta = 0.4, critical = std::tan(theta);
  EXPECT_NEAR(descend<2>(theta, critical * (1 + 1e-9), 1e-3, 1e30).speed, 0.0, 1e-12);
  EXPECT_NEAR(descend<2>(theta, 0.9 * critical, 1e-3, 1e30).speed, 0.1 * g * std::sin(theta) * duration, 1e-12);
}

TEST(Incline, ball_rolls_down_the_line_of_steepest_descent_whatever_its_direction) {
  const double slope = 0.5, azimuth = 1.1, h = 1e-3;
  const Vec<3> down{{std::cos(azimuth), std::sin(azimuth), 0.0}};
  Sample<3> s(h, {0.4, 0.0, 0.0}, (g * std::sin(slope)) * down - Vec<3>{{0, 0, g * std::cos(slope)}});
  auto simulation = s.floor().ball({{0, 0, radius}}, radius).start();
  for (int n = 0; n < 300; ++n) simulation.step();
  const auto& state = simulation.state().bodies.state;
  const double speed = 5.0 / 7.0 * g * std::sin(slope) * 0.3;
  EXPECT_LE(norm(state.velocity[0] - speed * down), 1e-12);
  EXPECT_LE(norm(state.spin[0] - (speed / radius) * cross(Vec<3>{{0, 0, 1}}, down)), 1e-12);
}

// A ball sliding sideways on a horizontal floor loses slip at 7/2 mu g and then rolls at 5/7 of its speed.
TEST(Incline, sliding_ball_ends_up_rolling_at_five_sevenths_of_its_speed) {
  auto simulation = Sample<3>(1e-3, {0.2, 0.0, 0.0}).floor().ball(at<3>(0, radius), radius, {{1.2, -0.5, 0.0}}).start();
  double sliding = 0;
  for (int n = 0; n < 1000; ++n) sliding += static_cast<double>(simulation.step().slide);
  const auto& state = simulation.state().bodies.state;
  EXPECT_LE(norm(state.velocity[0] - (5.0 / 7.0) * Vec<3>{{1.2, -0.5, 0.0}}), 1e-12);
  EXPECT_NEAR(sliding * 1e-3, 1.3 / (3.5 * 0.2 * g), 1.01e-3);
}

}  // namespace
}  // namespace moreau
