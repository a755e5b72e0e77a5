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

TEST(Drag, falling_ball_reaches_g_over_c) {
  Sample<2> s(1e-2);
  s.ball(at<2>(0, 0), 0.5);
  s.model.damping = 5.0;
  auto simulation = s.start();
  for (int n = 0; n < 1000; ++n) simulation.step();
  // v = v / (1 + c h) + h g in steady fall.
  EXPECT_NEAR(simulation.state().bodies.state.velocity[0][1], -g / 5.0 * 1.05, 1e-12);
  EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-10);
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
