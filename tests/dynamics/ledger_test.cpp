// The energy ledger when the experimenter intervenes or grains are brought in. Its closing in ordinary runs is in tests/physics.
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

TEST(Ledger, starts_closed_with_what_the_bodies_have) {
  const auto simulation = Sample<3>(1e-3).ball(at<3>(0, 2), 0.5, {{1, 2, 2}}, {{3, 0, 0}}, 2.0).start();
  const EnergyLedger& e = simulation.state().energy;
  EXPECT_NEAR(e.kinetic, 0.5 * 2 * 9 + 0.5 * 0.4 * 2 * 0.25 * 9, 1e-13);
  EXPECT_NEAR(e.potential, 2 * g * 2, 1e-13);
  EXPECT_EQ(e.initial, e.kinetic + e.potential);
  EXPECT_EQ(e.error(), 0.0);
}

TEST(Ledger, touch_takes_what_was_done_by_hand_into_the_initial_energy) {
  auto simulation = Sample<2>(1e-3, {0.3, 0.5, 0.0}).floor().ball(at<2>(0, 1), 0.5).start();
  for (int n = 0; n < 400; ++n) simulation.step();
  const double dissipated = simulation.state().energy.dissipated;
  EXPECT_GT(dissipated, 0.0);
  simulation.mutable_state().bodies.state.velocity[0] = at<2>(3, 4);
  simulation.mutable_state().bodies.state.position[0] = at<2>(100, 2);
  simulation.changed_by_hand();
  EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-13);
  EXPECT_EQ(simulation.state().energy.dissipated, dissipated);
  for (int n = 0; n < 2000; ++n) ASSERT_NEAR(simulation.step().energy.error(), 0.0, 1e-11);
  EXPECT_GT(simulation.state().energy.dissipated, dissipated + 0.1);
}

TEST(Ledger, fixed_and_driven_bodies_have_no_energy_of_their_own) {
  Sample<2> s(1e-3);
  const int shake = s.motion(shaken<2>(at<2>(0, 0.1), 3.0, 0.0));
  auto simulation = s.obstacle(at<2>(0, 5), 0.5).obstacle(at<2>(3, 5), 0.5, shake).start();
  for (int n = 0; n < 100; ++n) simulation.step();
  const EnergyLedger& e = simulation.state().energy;
  EXPECT_EQ(e.kinetic, 0.0);
  EXPECT_EQ(e.potential, 0.0);
  EXPECT_NEAR(simulation.state().bodies.state.position[1][1], 5 + 0.1 * std::sin(2 * M_PI * 3.0 * 0.1), 1e-13);
}

// A driven bead carrying a ball up works like a wall that does.
TEST(Ledger, driven_body_works_on_what_it_carries) {
  Sample<2> s(1e-3, {});
  const int lift = s.motion(steady<2>(at<2>(0, 0.5)));
  s.obstacle(at<2>(0, 0), 1.0, lift).ball(at<2>(0, 2), 1.0, at<2>(0, 0.5), {}, 3.0);
  auto simulation = s.start();
  for (int n = 0; n < 1000; ++n) simulation.step();
  EXPECT_NEAR(height(simulation, 1), 2.5, 1e-12);
  EXPECT_NEAR(simulation.state().energy.wall_work, 3 * g * 0.5, 1e-11);
  EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-11);
}

}  // namespace
}  // namespace moreau
