// Blocks at rest stay at rest: no sinking, popping or drifting, and the forces balance the weight.
#include <gtest/gtest.h>

#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

constexpr double side = 0.2;

template <int D>
Simulation<D> stack(int blocks, double h, ContactRule rule, SolverSettings settings) {
  Sample<D> s(h, {0.5, 0.0, 0.0});
  s.model.rule = rule;
  s.model.contact_distance = rule == ContactRule::midpoint ? 1e-6 * side : 0.0;
  s.model.solver = settings;
  s.floor();
  Vec<D> sides;
  for (int d = 0; d < D; ++d) sides[d] = side;
  for (int k = 0; k < blocks; ++k) add_box<D>(s, sides, at<D>(k % 2 ? 0.03 : 0.0, (k + 0.5) * side));
  return s.start();
}

// `few`: mean sweeps of a step; `moved`: in sides. Rounding and tolerance feed back through the gaps of the predictive rule, so
// that a stack works at every step to stay where it is.
template <int D>
void rests(int blocks, int steps, ContactRule rule, double few = 4.0, double moved = 1e-9) {
  SolverSettings settings;
  settings.tolerance = 1e-8, settings.unbalanced_tolerance = 1e-6, settings.max_sweeps = 100000;  // the first step is cold
  auto simulation = stack<D>(blocks, 1e-3, rule, settings);
  const auto start = simulation.state().bodies.state;
  std::size_t recalled = 0, contacts = 0, sweeps = 0;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.certificate.converged) << n;
    if (n == 0) continue;
    recalled += report.recalled, contacts += report.contacts, sweeps += static_cast<std::size_t>(report.certificate.sweeps);
  }
  EXPECT_EQ(recalled, contacts);
  EXPECT_EQ(contacts, static_cast<std::size_t>((steps - 1) * blocks * (D == 2 ? 2 : 4)));
  EXPECT_LE(static_cast<double>(sweeps) / (steps - 1), few);
  const auto& now = simulation.state().bodies;
  for (std::size_t i = 0; i < now.size(); ++i) EXPECT_LE(norm(now.state.position[i] - start.position[i]), moved * side) << i;

  // The floor carries the weight.
  double weight = 0.0, carried = 0.0;
  for (double m : now.parameters.mass) weight += m * g;
  const ContactRecords<D> records = simulation.contact_records();
  for (std::size_t i = 0; i < records.size(); ++i)
    if (is_wall(records.b[i])) carried += records.force[i][D - 1];
  EXPECT_NEAR(carried, weight, 1e-6 * weight);
}

TEST(BlockAtRest, one_block_does_not_move_in_a_hundred_thousand_steps_in_the_plane) {
  rests<2>(1, 100000, ContactRule::predictive);
  rests<2>(1, 100000, ContactRule::midpoint);
}
TEST(BlockAtRest, one_block_does_not_move_in_a_hundred_thousand_steps_in_space) {
  rests<3>(1, 100000, ContactRule::predictive);
  rests<3>(1, 20000, ContactRule::midpoint);
}
TEST(BlockAtRest, a_stack_does_not_creep_in_a_hundred_thousand_steps) {
  rests<2>(10, 100000, ContactRule::predictive, 150.0, 1e-8);
  rests<2>(10, 100000, ContactRule::midpoint, 100.0, 1e-7);
  rests<3>(5, 20000, ContactRule::predictive, 50.0, 1e-8);
}

// All contacts of a face at once: a block dropped flat stops flat, without turning or bouncing.
template <int D>
void dropped_flat() {
  for (const ContactRule rule : {ContactRule::midpoint, ContactRule::predictive}) {
    Sample<D> s(1e-3, {0.3, 0.0, 0.0});
    s.model.rule = rule;
    s.floor();
    Vec<D> sides;
    for (int d = 0; d < D; ++d) sides[d] = side;
    add_box<D>(s, sides, at<D>(0, 0.5 * side + 0.05));
    auto simulation = s.start();
    for (int n = 0; n < 300; ++n) simulation.step();
    const auto& state = simulation.state().bodies.state;
    EXPECT_LE(norm(state.velocity[0]), 1e-9);
    EXPECT_LE(norm(state.spin[0]), 1e-9);
    EXPECT_NEAR(state.position[0][D - 1], 0.5 * side, rule == ContactRule::midpoint ? 1.1e-3 : 1e-9);
    EXPECT_LE(std::abs(simulation.state().energy.error()), 1e-12);
  }
}
TEST(BlockDropped, flat_it_stops_flat_in_the_plane) { dropped_flat<2>(); }
TEST(BlockDropped, flat_it_stops_flat_in_space) { dropped_flat<3>(); }

// Dropped on an edge or a corner it tumbles and ends on a face; the ledger closes and nothing sinks.
void dropped_tilted(Rotation<3> orientation) {
  Sample<3> s(1e-3, {0.5, 0.0, 0.0});
  s.model.rule = ContactRule::predictive;
  s.model.solver = {};
  s.floor();
  add_box<3>(s, {{side, side, side}}, at<3>(0, side), orientation);
  auto simulation = s.start();
  double deepest = 0.0;
  for (int n = 0; n < 3000; ++n) {
    const StepReport report = simulation.step();
    deepest = std::max(deepest, report.max_penetration);
    ASSERT_LE(std::abs(report.energy.error()), 1e-12);
  }
  const auto& state = simulation.state().bodies.state;
  EXPECT_NEAR(state.position[0][2], 0.5 * side, 1e-5 * side);
  EXPECT_LE(norm(state.velocity[0]), 1e-5);
  EXPECT_LE(deepest, 1e-3);
}
TEST(BlockDropped, on_an_edge_it_ends_on_a_face) { dropped_tilted(turned(Rotation<3>{}, {{0.7, 0, 0}}, 1.0)); }
TEST(BlockDropped, on_a_corner_it_ends_on_a_face) { dropped_tilted(turned(Rotation<3>{}, {{0.6, 0.5, 0.1}}, 1.0)); }

}  // namespace
}  // namespace moreau
