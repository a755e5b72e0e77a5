// A rectangular block rocks from its left corner to its right corner (Moreau 1994, sec. 6; 2003, sec. 6).
//
//      ________          half-width b, half-height a, homogeneous: I = m (a^2 + b^2) / 3
//     |        |         before: turns clockwise about L, R strikes the floor
//     |    G   |         after (rho = tau = 0): L lifts, though its formal velocity before was zero - Newton's rule at each
//     |________|         corner separately would forbid it
//     L        R
#include <gtest/gtest.h>

#include "moreau/solver/given/dense_gauss_seidel.hpp"
#include "oracle/enumeration.hpp"
#include "oracle/rigid_system.hpp"

namespace moreau {
namespace {

struct Landing {
  double ratio;             // spin after / spin before
  Eigen::VectorXd impulse;  // L then R
  Eigen::VectorXd velocity;
};

Landing land(double a, double b, double gamma) {
  oracle::RigidSystem block;
  block.add_body(1.0, (a * a + b * b) / 3.0);
  block.add_contact(0, {-b, -a}, {0, 1}, {gamma, 0, 0});
  block.add_contact(0, {b, -a}, {0, 1}, {gamma, 0, 0});
  const double spin = -1.0;
  const Eigen::Vector3d before(-spin * a, spin * b, spin);  // zero velocity at L
  const DenseProblem problem = block.problem(before, before);
  const DenseResult r = solve_dense_gauss_seidel(problem, {.tolerance = 1e-15, .max_sweeps = 100000});
  // Independent witness: the spin after is the same in every solution that the enumeration of modes finds.
  const auto all = oracle::enumerate_solutions(problem);
  EXPECT_FALSE(all.empty());
  const double after = block.velocity_after(before, r.impulse)[2];
  for (const auto& s : all) EXPECT_NEAR(block.velocity_after(before, s.impulse)[2], after, 1e-9) << a / b << ' ' << gamma;
  return {after / spin, r.impulse, r.velocity};
}

TEST(RockingBlock, with_enough_friction_keeps_housners_ratio) {
  for (const auto& [degrees, ratio, stick_friction] :
       {std::tuple{10, 0.95477, 0.1312}, {15, 0.89952, 0.1974}, {20, 0.82453, 0.2642}, {30, 0.62500, 0.3997}}) {
    const double alpha = degrees * M_PI / 180.0, s = std::sin(alpha), c = std::cos(alpha);
    const double critical = 3 * s * c / (4 - 3 * s * s);
    EXPECT_NEAR(critical, stick_friction, 5e-5);
    const Landing l = land(c, s, critical * 1.001);
    EXPECT_NEAR(l.ratio, ratio, 6e-6);
    EXPECT_NEAR(l.ratio, 1 - 1.5 * s * s, 1e-13);
    EXPECT_EQ(l.impulse[0], 0.0);   // nothing at the left corner,
    EXPECT_GT(l.velocity[0], 0.1);  // which lifts
    EXPECT_NEAR(l.velocity[3], 0.0, 1e-14);
  }
}

TEST(RockingBlock, slips_at_the_struck_corner_when_friction_is_half_of_what_sticks) {
  for (const auto& [degrees, ratio] : {std::pair{10, 0.8925}, {15, 0.7747}, {20, 0.6346}, {30, 0.3419}}) {
    const double alpha = degrees * M_PI / 180.0, s = std::sin(alpha), c = std::cos(alpha);
    const Landing l = land(c, s, 0.5 * 3 * s * c / (4 - 3 * s * s));
    EXPECT_NEAR(l.ratio, ratio, 6e-5);
    EXPECT_GT(std::abs(l.velocity[3]), 1e-3);
  }
}

TEST(RockingBlock, listed_ratios_by_slenderness_and_friction) {
  EXPECT_NEAR(land(2, 1, 0.0).ratio, 0.25, 1e-13);
  EXPECT_NEAR(land(2, 1, 0.2).ratio, 0.470588, 5e-7);
  EXPECT_NEAR(land(2, 1, 0.36).ratio, 0.70, 1e-13);
  EXPECT_NEAR(land(4, 1, 0.2).ratio, 0.911765, 5e-7);
}

TEST(RockingBlock, squat_block_does_not_rock) {
  for (const double slenderness : {0.3, 0.9, 1.3, 1.40}) EXPECT_NEAR(land(slenderness, 1, 0.0).ratio, 0.0, 1e-12) << slenderness;
  for (const double slenderness : {1.45, 2.0, 5.0}) {
    const double a2 = slenderness * slenderness;
    EXPECT_NEAR(land(slenderness, 1, 0.0).ratio, (a2 - 2) / (a2 + 4), 1e-12) << slenderness;
  }
  // With enough friction the limit falls from sqrt(2) to 1/sqrt(2).
  for (const double slenderness : {0.3, 0.5, 0.70}) EXPECT_NEAR(land(slenderness, 1, 10.0).ratio, 0.0, 1e-12) << slenderness;
  for (const double slenderness : {0.72, 1.0, 3.0})
    EXPECT_NEAR(land(slenderness, 1, 10.0).ratio, 1 - 1.5 / (1 + slenderness * slenderness), 1e-12) << slenderness;
}

}  // namespace
}  // namespace moreau
