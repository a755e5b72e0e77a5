// A column of n equal balls at rest on a floor, touching exactly.
//
//      o  n         contact k (k = 1: floor) carries (n - k + 1) m g h
//      o  ...       Gauss-Seidel from zero contracts by cos^2(pi / 2n) per sweep
//      o  1
//    -----
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
Sample<D> column(int n, double h, double mass) {
  Sample<D> s(h, {0.3, 0.0, 0.0});
  s.model.contact_distance = 1e-9;  // gaps at rest are rounding, of either sign
  s.model.solver.tolerance = s.model.solver.unbalanced_tolerance = 1e-12;
  s.floor();
  for (int i = 0; i < n; ++i) s.ball(at<D>(0, 0.5 + i), 0.5, {}, {}, mass);
  return s;
}

template <int D>
void carries_what_is_above() {
  const double h = 1e-3, mass = 1.3;
  for (const int n : {1, 5, 20}) {
    auto simulation = column<D>(n, h, mass).start();
    for (int step = 0; step < 3; ++step) {
      const StepReport report = simulation.step();
      ASSERT_TRUE(report.certificate.converged) << n;
      ASSERT_EQ(report.contacts, static_cast<std::size_t>(n));
      if (step > 0) {
        EXPECT_EQ(report.recalled, report.contacts);
        EXPECT_LE(report.certificate.sweeps, 8);
      }
      const auto& table = simulation.state().contacts;
      for (std::size_t k = 0; k < table.size(); ++k) {
        // Row of ball a holds its contact with the ball above; the floor comes first.
        const int below = is_wall(table.b[k]) ? 0 : table.a[k] + 1;
        EXPECT_NEAR(std::abs(table.impulse[k][D - 1]), (n - below) * mass * g * h, 1e-9 * mass * g * h) << n;
      }
      EXPECT_LE(report.max_speed, 1e-9 * g * h);
    }
  }
}
TEST(Column, each_disc_carries_what_is_above_it) { carries_what_is_above<2>(); }
TEST(Column, each_ball_carries_what_is_above_it) { carries_what_is_above<3>(); }

// The same with the settings that a newcomer has.
template <int D>
void carries_with_defaults() {
  const double h = 1e-3, mass = 1.3;
  for (const ContactRule rule : {ContactRule::midpoint, ContactRule::predictive})
    for (const int n : {1, 5, 20, 100}) {
      auto s = column<D>(n, h, mass);
      s.model.solver = {};
      s.model.rule = rule;
      auto simulation = s.start();
      StepReport report;
      for (int step = 0; step < 20; ++step) {
        report = simulation.step();
        ASSERT_TRUE(report.certificate.converged) << n;
      }
      const auto& table = simulation.state().contacts;
      ASSERT_EQ(table.size(), static_cast<std::size_t>(n));
      for (std::size_t k = 0; k < table.size(); ++k) {
        const int below = is_wall(table.b[k]) ? 0 : table.a[k] + 1;
        EXPECT_NEAR(std::abs(table.impulse[k][D - 1]), (n - below) * mass * g * h, 1e-3 * mass * g * h) << n;
      }
      EXPECT_LE(report.max_speed, 1e-3 * g * h) << n;
    }
}
TEST(Column, each_disc_carries_what_is_above_it_with_default_settings) { carries_with_defaults<2>(); }
TEST(Column, each_ball_carries_what_is_above_it_with_default_settings) { carries_with_defaults<3>(); }

double residual_after(int n, int sweeps) {
  auto s = column<3>(n, 1e-3, 1.0);
  s.model.solver.tolerance = 1e-30;
  s.model.solver.max_sweeps = sweeps;
  s.model.solver.extrapolation = s.model.solver.finish = false;
  const Certificate c = s.start().step().certificate;
  EXPECT_EQ(c.sweeps, sweeps);
  EXPECT_FALSE(c.converged);
  EXPECT_FALSE(c.unbounded);
  return c.residual_rms;
}

TEST(Column, gauss_seidel_contracts_by_cos_squared_of_pi_over_2n) {
  for (const auto& [n, factor] : {std::pair{5, 0.904508}, {10, 0.975528}, {20, 0.993844}}) {
    const double exact = std::pow(std::cos(M_PI / (2 * n)), 2);
    EXPECT_NEAR(exact, factor, 5e-7);
    const int sweeps = 8 * n * n / 3;  // error about 1e-3 of the start, the next mode is gone
    EXPECT_NEAR(residual_after(n, sweeps + 1) / residual_after(n, sweeps), exact, 1e-6) << n;
  }
}

}  // namespace
}  // namespace moreau
