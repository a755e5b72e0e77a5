// A ball falls on a floor and stays there.
//
//      o   height 1 above the floor, g = 9.81
//      |
//      v
//    -----
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
Simulation<D> dropped(double h, ContactRule rule, double mass) {
  Sample<D> s(h, {0.4, 0.0, 0.0});
  s.model.rule = rule;
  return s.floor().ball(at<D>(0, 1.25), 0.25, {}, {}, mass).start();
}

template <int D>
void rests_where_it_was_caught() {
  for (const double h : {1e-3, 3e-3, 1e-2}) {
    const double mass = 0.7;
    auto simulation = dropped<D>(h, ContactRule::midpoint, mass);
    double speed = 0.0;
    StepReport report = simulation.step();
    for (; report.contacts == 0; report = simulation.step()) speed = simulation.state().bodies.state.velocity[0][D - 1];
    // The midpoint after n steps is 1 - g h^2 n (n + 1) / 2 above contact: the first n that makes it negative catches the ball.
    double n = 0;
    while (1.0 - 0.5 * g * h * h * n * (n + 1) > 0) ++n;
    const double caught = 0.5 * g * h * h * n * (n + 1) - 1.0;
    EXPECT_NEAR(report.max_penetration * 0.5, caught, 1e-11);
    EXPECT_LE(caught, h * std::abs(speed));
    if (h == 1e-3) {
      EXPECT_NEAR(caught, 4.33e-3, 5e-6);
    }
    for (int k = 0; k < 500; ++k) {
      report = simulation.step();
      ASSERT_EQ(report.contacts, 1u);
      const double rounding = k == 0 ? 1e-12 : 1e-15;  // the blow leaves a rounding error of the fall velocity, for one step
      ASSERT_NEAR(simulation.state().contacts.impulse[0][D - 1], mass * g * h, rounding * mass * g * h);
      ASSERT_LE(norm(simulation.state().bodies.state.velocity[0]), 1e-15 * g * h);
      ASSERT_NEAR(report.max_penetration * 0.5, caught, 1e-11);
    }
    EXPECT_LE(std::abs(report.energy.error()), 1e-12);
    EXPECT_NEAR(report.energy.dissipated, mass * g * (1.0 + caught), 1e-10);
  }
}
TEST(DropAndRest, disc_rests_where_it_was_caught_and_weighs_its_weight) { rests_where_it_was_caught<2>(); }
TEST(DropAndRest, ball_rests_where_it_was_caught_and_weighs_its_weight) { rests_where_it_was_caught<3>(); }

template <int D>
void predictive_rule_leaves_no_penetration() {
  for (const double h : {1e-3, 3e-3, 1e-2}) {
    auto simulation = dropped<D>(h, ContactRule::predictive, 0.7);
    double deepest = 0.0;
    StepReport report;
    for (int n = 0; n * h < 1.0; ++n) {
      report = simulation.step();
      deepest = std::max(deepest, report.max_penetration);
    }
    EXPECT_LE(deepest, 1e-14);
    EXPECT_NEAR(height(simulation, 0), 0.25, 1e-14);
    EXPECT_NEAR(simulation.state().contacts.impulse[0][D - 1], 0.7 * g * h, 1e-12 * g * h);
    EXPECT_NEAR(report.energy.dissipated, 0.7 * g * 1.0, 1e-10);
  }
}
TEST(DropAndRest, predictive_rule_leaves_no_penetration_of_a_disc) { predictive_rule_leaves_no_penetration<2>(); }
TEST(DropAndRest, predictive_rule_leaves_no_penetration_of_a_ball) { predictive_rule_leaves_no_penetration<3>(); }

// At rest it approaches nothing yet, but one step of gravity would take it through.
TEST(DropAndRest, predictive_rule_foresees_the_fall_of_a_ball_released_just_above_the_floor) {
  const double h = 1e-2, step = g * h * h;
  for (const double gap : {0.1 * step, 0.5 * step, 0.99 * step}) {
    Sample<2> s(h, {});
    s.model.rule = ContactRule::predictive;
    auto simulation = s.floor().ball(at<2>(0, 0.25 + gap), 0.25).start();
    for (int n = 0; n < 10; ++n) EXPECT_LE(simulation.step().max_penetration, 1e-14) << gap;
    EXPECT_NEAR(height(simulation, 0), 0.25, 1e-14);
  }
}

// Fact 3.1.5: the test position decides, not the initial one.
TEST(DropAndRest, contact_is_decided_at_the_midpoint_of_the_step) {
  const double h = 1e-2;
  const auto contacts = [&](double gap, double speed) {
    return Sample<2>(h, {}, {}).floor().ball(at<2>(0, 0.5 + gap), 0.5, at<2>(0, speed)).start().step().contacts;
  };
  EXPECT_EQ(contacts(0.4e-2, -1.0), 1u);  // above the floor, midpoint below
  EXPECT_EQ(contacts(0.6e-2, -1.0), 0u);  // midpoint still above
  EXPECT_EQ(contacts(-0.4e-2, 1.0), 0u);  // below, midpoint above: leaving
  EXPECT_EQ(contacts(-0.6e-2, 1.0), 1u);
  EXPECT_EQ(contacts(0.0, 0.0), 1u);  // touching counts
}

}  // namespace
}  // namespace moreau
