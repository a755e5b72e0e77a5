// A homogeneous rod sliding on its lower tip: an impact without collision (Lecornu 1905, Painleve 1905).
//
//             /                half-length 1, m = 1, I = 1/3
//            o  G              tan(theta) = 2
//           / theta            tip at (-cos, -sin) from G
//   _______/_______            the tip slides to the left or to the right at unit speed, u_y = 0 at the tip
//
// H_NN = 1.6, H_TT = 3.4, |H_NT| = 1.2: the Painleve range is mu >= 4/3.
#include <gtest/gtest.h>

#include "moreau/solver/given/dense_gauss_seidel.hpp"
#include "oracle/enumeration.hpp"
#include "oracle/rigid_system.hpp"

namespace moreau {
namespace {

constexpr double kGravity = 9.81;
const Eigen::Vector2d kTip = Eigen::Vector2d(-1.0, -2.0) / std::sqrt(5.0);

struct Step {
  DenseResult result;
  Eigen::Vector3d after;
  std::size_t solutions;
};

// One step of duration h from a translation of the whole rod at velocity (slide, 0).
Step first_step(double friction, double slide, double h) {
  oracle::RigidSystem rod;
  rod.add_body(1.0, 1.0 / 3.0);
  rod.add_contact(0, kTip, {0, 1}, {friction, 0, 0});
  const Eigen::Vector3d before(slide, 0, 0), free(slide, -kGravity * h, 0);
  const DenseProblem problem = rod.problem(before, free);
  const DenseResult result = solve_dense_gauss_seidel(problem);
  return {result, rod.velocity_after(free, result.impulse), oracle::enumerate_solutions(problem).size()};
}

TEST(PainleveRod, delassus_of_the_tip) {
  oracle::RigidSystem rod;
  rod.add_body(1.0, 1.0 / 3.0);
  rod.add_contact(0, kTip, {0, 1}, {1, 0, 0});
  const DenseProblem p = rod.problem(Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero());
  EXPECT_NEAR(p.delassus(0, 0), 1.6, 1e-15);
  EXPECT_NEAR(p.delassus(1, 1), 3.4, 1e-15);
  EXPECT_NEAR(std::abs(p.delassus(0, 1)), 1.2, 1e-15);
}

// Friction pushes the tip under the centre and rotates it into the floor: the locking direction is to the left, where the rod
// leads with its tip.
TEST(PainleveRod, tip_jams_at_once_beyond_four_thirds) {
  for (const double mu : {1.5, 2.0})
    for (const double h : {1e-3, 1e-5, 1e-8}) {
      const Step step = first_step(mu, -1.0, h);
      EXPECT_EQ(step.solutions, 1u);
      EXPECT_NEAR(step.result.impulse[0], 0.3, 10 * h + 1e-12);
      EXPECT_NEAR(step.result.impulse[1], 0.4, 10 * h + 1e-12);
      EXPECT_NEAR(step.result.velocity.norm(), 0.0, 1e-14);  // sticks
    }
}

TEST(PainleveRod, jamming_impulse_takes_two_fifths_of_the_energy_however_small_the_step) {
  for (const double h : {1e-6, 1e-10}) {
    const Eigen::Vector3d u = first_step(2.0, -1.0, h).after;
    EXPECT_NEAR(u[0], -0.6, 20 * h + 1e-14);
    EXPECT_NEAR(u[1], 0.3, 20 * h + 1e-14);
    EXPECT_NEAR(std::abs(u[2]), 0.67082, 5e-6 + 20 * h);
    EXPECT_NEAR(0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2] / 3.0), 0.3, 20 * h + 1e-14);
  }
}

TEST(PainleveRod, below_the_range_the_tip_slides_on_with_an_impulse_of_order_h) {
  for (const double mu : {1.0, 1.2})
    for (const double h : {1e-3, 1e-5, 1e-8}) {
      const Step step = first_step(mu, -1.0, h);
      EXPECT_NEAR(step.result.impulse[0], kGravity * h / (1.6 - 1.2 * mu), 1e-12 * h);  // v_N = -g h, H_NN - mu |H_NT|
      EXPECT_NEAR(step.result.impulse[1], mu * step.result.impulse[0], 1e-15);
      EXPECT_LT(step.result.velocity[1], -1.0 + 400 * h);
    }
}

TEST(PainleveRod, dragging_the_tip_the_other_way_always_slides) {
  for (const double mu : {1.0, 1.5, 2.0, 10.0})
    for (const double h : {1e-3, 1e-5, 1e-8}) {
      const Step step = first_step(mu, +1.0, h);
      EXPECT_EQ(step.solutions, 1u);
      EXPECT_NEAR(step.result.impulse[0], kGravity * h / (1.6 + 1.2 * mu), 1e-12 * h);
      EXPECT_NEAR(step.result.impulse[1], -mu * step.result.impulse[0], 1e-15);
    }
}

}  // namespace
}  // namespace moreau
