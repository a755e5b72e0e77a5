// Sequential binary shocks: Newton's cradle in one step (Alart 2015). The same row with all shocks together is in
// ball_row_test.cpp.
//
//    o -> ooo...o
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
std::vector<double> strike_row(int n, int strikers, double rho, bool from_the_right = false) {
  const double h = 1.0 / 1024;
  Sample<D> s(h, {0.0, rho, 0.0}, {});
  s.model.shocks = ShockRule::sequential;
  for (int i = 0; i < n; ++i) {
    const double speed = from_the_right ? (i >= n - strikers ? -1.0 : 0.0) : (i < strikers ? 1.0 : 0.0);
    s.ball(at<D>(i - 0.5 * h * speed, 0), 0.5, at<D>(speed, 0));
  }
  auto simulation = s.start();
  const StepReport report = simulation.step();
  EXPECT_EQ(report.contacts, static_cast<std::size_t>(n - 1));
  EXPECT_TRUE(report.certificate.converged);
  EXPECT_TRUE(report.shocks_ended);
  EXPECT_GE(report.shocks, static_cast<std::size_t>(n - strikers));
  EXPECT_NEAR(report.energy.error(), 0.0, 1e-14);
  if (rho == 1.0) {
    EXPECT_NEAR(report.energy.kinetic, 0.5 * strikers, 1e-14);
  }
  std::vector<double> v;
  for (const auto& u : simulation.state().bodies.state.velocity) v.push_back(u[0]);
  return v;
}

void expect_speeds(const std::vector<double>& found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

TEST(Cradle, last_ball_leaves_with_the_speed_of_the_first) {
  expect_speeds(strike_row<2>(3, 1, 1.0), {0, 0, 1}, 1e-14);
  expect_speeds(strike_row<3>(5, 1, 1.0), {0, 0, 0, 0, 1}, 1e-14);
  expect_speeds(strike_row<3>(5, 1, 1.0, true), {-1, 0, 0, 0, 0}, 1e-14);
}

// A ball between two walls that close on it: every shock with one makes it approach the other.
TEST(Cradle, shocks_without_end_are_reported) {
  Sample<2> s(1e-2, {0.0, 0.0, 0.0}, {});
  s.model.shocks = ShockRule::sequential;
  s.wall(at<2>(-0.5, 0), at<2>(1, 0), s.motion(steady<2>(at<2>(1.0, 0))));
  s.wall(at<2>(0.5, 0), at<2>(-1, 0), s.motion(steady<2>(at<2>(-1.0, 0))));
  s.ball({}, 0.5);
  const StepReport report = s.start().step();
  EXPECT_FALSE(report.shocks_ended);
  EXPECT_GT(report.shocks, 1000u);
}

TEST(Cradle, as_many_balls_leave_as_strike) { expect_speeds(strike_row<2>(5, 2, 1.0), {0, 0, 0, 1, 1}, 1e-14); }

TEST(Cradle, blow_is_damped_along_the_row) {
  expect_speeds(strike_row<2>(3, 1, 0.5), {0.203125, 0.234375, 0.5625}, 1e-9);
  expect_speeds(strike_row<3>(3, 1, 0.9), {0.047625, 0.049875, 0.9025}, 1e-9);
  expect_speeds(strike_row<3>(5, 1, 0.9), {0.043525, 0.045373, 0.047297, 0.049299, 0.814506}, 1e-6);
}

// One contact alone: no difference between the two treatments. Closed form of a ball against a plane.
TEST(Cradle, single_bounce_with_friction_is_as_with_shocks_together) {
  for (const double slip : {0.2, 3.0}) {
    const double mu = 0.3, rho = 0.7, tau = 0.4, vn = 1.0;
    Sample<3> s(1e-3, {mu, rho, tau}, {});
    s.model.shocks = ShockRule::sequential;
    s.floor().ball(at<3>(0, 0.5), 0.5, at<3>(slip, -vn));
    auto simulation = s.start();
    simulation.step();
    const bool sticks = 2.0 / 7.0 * (1 + tau) * slip <= mu * (1 + rho) * vn;
    EXPECT_EQ(sticks, slip < 1.0);
    const double lost = sticks ? 2.0 / 7.0 * (1 + tau) * slip : mu * (1 + rho) * vn;
    EXPECT_NEAR(simulation.state().bodies.state.velocity[0][0], slip - lost, 1e-14);
    EXPECT_NEAR(simulation.state().bodies.state.velocity[0][2], rho * vn, 1e-14);
    EXPECT_NEAR(forward_rate<3>(simulation.state().bodies.state.spin[0]), lost / (0.4 * 0.5), 1e-13);
  }
}

TEST(Cradle, column_at_rest_suffers_no_shocks) {
  Sample<3> s(1e-3, {0.3, 0.9, 0.0});
  s.model.shocks = ShockRule::sequential;
  s.floor();
  for (int i = 0; i < 5; ++i) s.ball(at<3>(0, 0.5 + i), 0.5);
  auto simulation = s.start();
  for (int n = 0; n < 100; ++n) simulation.step();
  for (int i = 0; i < 5; ++i) EXPECT_LE(norm(simulation.state().bodies.state.velocity[static_cast<std::size_t>(i)]), 1e-9);
  EXPECT_NEAR(norm(simulation.contact_records().force[0]), 5 * g, 1e-6);
}

}  // namespace
}  // namespace moreau
