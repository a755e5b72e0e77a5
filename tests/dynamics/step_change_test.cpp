// Changing the time step during a run: forces last, so recalled impulses scale with h.
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

TEST(StepChange, column_at_rest_stays_at_rest_without_new_work) {
  Sample<3> s(1e-3, {0.3, 0.0, 0.0});
  s.floor();
  const int n = 12;
  for (int i = 0; i < n; ++i) s.ball(at<3>(0, 0.5 + i - 1e-9 * (i + 1)), 0.5);
  auto simulation = s.start();
  const int cold = simulation.step().certificate.sweeps;
  EXPECT_GT(cold, 100);
  for (const double h : {0.5e-3, 2e-3, 1e-4}) {
    simulation.mutable_model().time_step = h;
    for (int k = 0; k < 3; ++k) {
      const StepReport report = simulation.step();
      EXPECT_LE(report.certificate.sweeps, cold / 5) << h;
      EXPECT_LE(report.max_speed, 1e-6 * g * h);
      EXPECT_NEAR(simulation.state().contacts.impulse[0][2], n * g * h, 1e-6 * g * h);
      EXPECT_NEAR(simulation.contact_records().force[0][2], n * g, 1e-5);
    }
  }
  EXPECT_NEAR(simulation.state().time, 1e-3 + 3 * 2.6e-3, 1e-15);
}

TEST(StepChange, rough_heap_keeps_its_forces) {
  RandomStream random(4);
  Sample<2> s(5e-4, {0.5, 0.0, 0.0});
  s.model.solver = {.tolerance = 1e-5, .unbalanced_tolerance = 1e-3, .max_sweeps = 5000};
  s.sides(0.08).floor();
  fill_lattice<2>(s, random, 40, 8, 1e-2, 0.7, 0.95, 0.0, 0.1);
  auto simulation = s.start();
  StepReport report;
  for (int n = 0; n < 4000; ++n) report = simulation.step();
  ASSERT_LE(report.max_speed, 1e-4);
  const auto before = simulation.contact_records();
  simulation.mutable_model().time_step = 2.5e-4;
  report = simulation.step();
  EXPECT_LE(report.certificate.sweeps, 50);
  EXPECT_EQ(report.recalled, report.contacts);
  const auto after = simulation.contact_records();
  ASSERT_EQ(after.size(), before.size());
  double total = 0.0, change = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i) total += norm(before.force[i]), change += norm(after.force[i] - before.force[i]);
  EXPECT_LE(change, 1e-2 * total);
}

// A longer step looks farther ahead than the lists of the shorter one were built for.
TEST(StepChange, longer_step_still_sees_what_is_coming) {
  auto s = Sample<2>(1e-5, {}, {}).ball(at<2>(0, 0), 0.5, at<2>(1, 0)).ball(at<2>(1.5, 0), 0.5, at<2>(-1, 0));
  s.model.rule = ContactRule::predictive;
  auto simulation = s.start();
  simulation.step();
  simulation.mutable_model().time_step = 0.2;
  for (int n = 0; n < 4; ++n) EXPECT_LE(simulation.step().max_penetration, 1e-12);
  EXPECT_NEAR(simulation.state().bodies.state.position[1][0] - simulation.state().bodies.state.position[0][0], 1.0, 1e-12);
}

}  // namespace
}  // namespace moreau
