// Sequential shocks directly: contacts in, velocities and impulses out.
#include "moreau/engines/rigid/shocks.hpp"

#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

// Balls of the given masses in a row along x, radius 0.5, each touching the next: contact i is between ball i and i + 1.
struct Row {
  Bodies<3> bodies;
  std::vector<ShockContact<3>> contacts;
  std::vector<Vec<3>> impulse;

  Row(std::vector<double> masses, double restitution, double friction = 0.0) {
    Sample<3> s(1e-3);
    for (std::size_t i = 0; i < masses.size(); ++i) s.ball(at<3>(static_cast<double>(i), 0), 0.5, {}, {}, masses[i]);
    bodies = s.bodies;
    for (std::size_t i = 0; i + 1 < masses.size(); ++i) {
      ShockContact<3> c;
      c.a = static_cast<std::int32_t>(i), c.b = c.a + 1;
      c.place.normal = {{-1, 0, 0}}, c.place.arm_a = {{0.5, 0, 0}}, c.place.arm_b = {{-0.5, 0, 0}};
      c.law.normal_restitution = restitution, c.law.friction = friction;
      contacts.push_back(c);
    }
  }
  ShockReport strike(double slow = 0.0) { return moreau::strike<3>(bodies, {}, contacts, slow, impulse); }
  Vec<3>& velocity(std::size_t i) { return bodies.state.velocity[i]; }
};

// A blow travels through equal balls, one shock each, and leaves with the last.
TEST(Shocks, travel_through_a_row_of_equal_balls) {
  Row row({1, 1, 1, 1}, 1.0);
  row.velocity(0) = {{2, 0, 0}};
  const ShockReport report = row.strike();
  EXPECT_TRUE(report.finished);
  EXPECT_EQ(report.shocks, 3u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(row.velocity(i)[0], i == 3 ? 2.0 : 0.0, 1e-15);
  for (const Vec<3>& p : row.impulse) EXPECT_NEAR(p[0], -2.0, 1e-15);
}

// Two bodies: Newton's restitution, with the masses as they are.
TEST(Shocks, of_two_balls_obey_newton_and_keep_momentum) {
  for (const double e : {0.0, 0.3, 1.0}) {
    Row row({1, 3}, e);
    row.velocity(0) = {{2, 1, 0}}, row.velocity(1) = {{-1, 0, 0}};
    EXPECT_EQ(row.strike().shocks, 1u);
    EXPECT_NEAR(row.velocity(0)[0] - row.velocity(1)[0], -3.0 * e, 1e-14);
    EXPECT_NEAR(row.velocity(0)[0] + 3 * row.velocity(1)[0], -1.0, 1e-14);
    EXPECT_EQ(row.velocity(0)[1], 1.0);  // no friction
  }
}

// |P_T| = mu P_N while it slides; both balls are turned by it.
TEST(Shocks, slide_within_the_cone) {
  Row row({1, 1}, 0.0, 0.1);
  row.velocity(0) = {{1, 5, 0}};
  row.strike();
  EXPECT_NEAR(std::abs(row.impulse[0][1]), 0.1 * std::abs(row.impulse[0][0]), 1e-15);
  EXPECT_NEAR(row.velocity(0)[1] + row.velocity(1)[1], 5.0, 1e-14);
  const double spin = 0.5 * 0.05 / (0.4 * 1 * 0.25);  // r P_T / I
  EXPECT_NEAR(std::abs(row.bodies.state.spin[0][2]), spin, 1e-14);
  EXPECT_NEAR(row.bodies.state.spin[0][2], row.bodies.state.spin[1][2], 1e-14);
}

// A wall that comes nearer strikes; its velocity is in the bias.
TEST(Shocks, with_an_obstacle_that_moves) {
  Row row({1}, 0.5);
  ShockContact<3> wall;
  wall.a = 0, wall.b = -1, wall.law.normal_restitution = 0.5;
  wall.place.normal = {{1, 0, 0}}, wall.place.arm_a = {{-0.5, 0, 0}}, wall.place.bias = {{-2, 0, 0}};
  row.contacts = {wall};
  EXPECT_EQ(row.strike().shocks, 1u);
  EXPECT_NEAR(row.velocity(0)[0], 3.0, 1e-15);  // relative: -2 becomes +1
}

TEST(Shocks, leave_alone_what_is_slow_parts_or_is_still_apart) {
  Row slow({1, 1}, 1.0);
  slow.velocity(0) = {{1e-3, 0, 0}};
  EXPECT_EQ(slow.strike(1e-2).shocks, 0u);
  Row parting({1, 1}, 1.0);
  parting.velocity(0) = {{-1, 0, 0}};
  EXPECT_EQ(parting.strike().shocks, 0u);
  Row apart({1, 1}, 1.0);
  apart.velocity(0) = {{1, 0, 0}};
  apart.contacts[0].spare = 1.5;  // its gap does not close within the step
  EXPECT_EQ(apart.strike().shocks, 0u);
  EXPECT_EQ(apart.velocity(0)[0], 1.0);
}

}  // namespace
}  // namespace moreau
