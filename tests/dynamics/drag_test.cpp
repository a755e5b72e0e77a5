// The drag that brings samples to rest, - c m v, taken implicitly.
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

TEST(Drag, slows_a_free_ball_by_one_plus_c_h_in_every_step) {
  Sample<3> s(1e-2, {}, {});
  s.ball(at<3>(0, 0), 0.5, at<3>(3, 4), {{0, 2, 0}}, 2.0);
  s.model.damping = 5.0;
  auto simulation = s.start();
  for (int n = 0; n < 20; ++n) ASSERT_NEAR(simulation.step().energy.error(), 0.0, 1e-13);
  const double share = std::pow(1.05, -20);
  EXPECT_NEAR(simulation.state().bodies.state.velocity[0][0], 3 * share, 1e-13);
  EXPECT_NEAR(simulation.state().bodies.state.spin[0][1], 2 * share, 1e-13);
  const double start = 0.5 * (2 * 25 + 0.4 * 2 * 0.25 * 4);
  EXPECT_NEAR(simulation.state().energy.dissipated, start * (1 - share * share), 1e-12);
}

// Whatever the step: weight and drag are taken together.
TEST(Drag, falling_ball_reaches_g_over_c) {
  for (const double c : {5.0, 500.0})
    for (const ContactRule rule : {ContactRule::midpoint, ContactRule::predictive}) {
      Sample<2> s(1e-2);
      s.ball(at<2>(0, 0), 0.5);
      s.model.damping = c, s.model.rule = rule;
      auto simulation = s.start();
      for (int n = 0; n < 1000; ++n) simulation.step();
      EXPECT_NEAR(simulation.state().bodies.state.velocity[0][1], -g / c, 1e-12);
      EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-10);
    }
}

// A lid that nothing opposes, then one that pushes a ball before it: F = c (M + m) v. The drag of both is felt by the contact.
TEST(Drag, of_a_piston_and_what_it_pushes_balances_its_force) {
  for (const bool pushes : {false, true}) {
    Sample<2> s(1e-2, {}, {});
    s.wall(at<2>(0, 3), at<2>(0, -1));
    if (pushes) s.ball(at<2>(0, 2.5), 0.5, {}, {}, 2.0);
    Piston<2> lid;
    lid.walls = {{0, at<2>(0, -1)}};
    lid.control = PistonControl::force, lid.target.mean = 12.0, lid.mass = 4.0;
    s.model.pistons.push_back(lid);
    s.model.damping = 50.0;
    auto simulation = s.start();
    for (int n = 0; n < 200; ++n) ASSERT_NEAR(simulation.step().energy.error(), 0.0, 1e-11);
    const double speed = 12.0 / (50.0 * (pushes ? 6.0 : 4.0));
    EXPECT_NEAR(simulation.state().pistons[0].speed, speed, 1e-12);
    if (!pushes) continue;
    EXPECT_NEAR(simulation.state().bodies.state.velocity[0][1], -speed, 1e-12);
    const auto contacts = simulation.contact_records();
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(norm(contacts.force[0]), 50.0 * 2.0 * speed, 1e-9);
  }
}

// Blows, friction and rest with a strong drag, all together or one after the other: what is lost is counted.
TEST(Drag, keeps_the_ledger_closed_in_contact) {
  for (const ShockRule shocks : {ShockRule::together, ShockRule::sequential}) {
    Sample<3> s(1e-2, {.friction = 0.3, .normal_restitution = 0.5});
    s.floor().sides(3.0);
    for (int k = 0; k < 6; ++k) s.ball({{0.8 + 0.3 * k, 1.5 - 0.2 * k, 0.6 + 1.05 * k}}, 0.5, {{1.0, -2.0, 0.0}}, {{1, 0, 3}}, 1.0 + k);
    s.model.damping = 8.0, s.model.shocks = shocks;
    auto simulation = s.start();
    std::size_t contacts = 0;
    for (int n = 0; n < 300; ++n) {
      const StepReport report = simulation.step();
      contacts = std::max(contacts, report.contacts);
      ASSERT_NEAR(report.energy.error(), 0.0, 1e-9) << "step " << n;
    }
    EXPECT_GE(contacts, 6u);
  }
}

// What leaves through a sink in the same step takes its energy with it before the drag has any.
TEST(Drag, and_a_sink_together_keep_the_ledger_closed) {
  Sample<2> s(1e-2);
  s.ball(at<2>(0, 0), 0.5).ball(at<2>(3, 8), 0.5);
  s.model.damping = 0.5;
  s.model.sinks.push_back({});
  s.model.sinks[0].point = at<2>(0, -5), s.model.sinks[0].direction = at<2>(0, -1);
  auto simulation = s.start();
  std::size_t removed = 0;
  for (int n = 0; n < 400; ++n) {
    const StepReport report = simulation.step();
    removed += report.removed;
    ASSERT_NEAR(report.energy.error(), 0.0, 1e-10) << "step " << n;
  }
  EXPECT_EQ(removed, 2u);
}

}  // namespace
}  // namespace moreau
