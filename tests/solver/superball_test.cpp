// One ball on a fixed floor with formal velocities (Moreau 1994, eqs. 6.1-6.4).
//
//     stick iff (1 + tau) |U_T-| / h_T <= gamma (1 + rho) |U_N-|   then U_T+ = -tau U_T-
//     else U_T+ = U_T- - gamma (1 + rho) |U_N-| h_T sign(U_T-)
//     m = 1, r = 1;  sphere: I = 2/5, h_T = 7/2;  disc: I = 1/2, h_T = 3
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "moreau/solver/given/dense_gauss_seidel.hpp"
#include "oracle/rigid_system.hpp"

namespace moreau {
namespace {

constexpr double kSphere = 0.4, kDisc = 0.5;

struct Bounce {
  Eigen::Vector3d after;
  Eigen::Vector2d impulse;
  double contact_speed;  // U_T+
  double energy_before, energy_after;
};

Bounce bounce(double inertia, PairLaw law, Eigen::Vector3d before) {
  oracle::RigidSystem ball;
  ball.add_body(1.0, inertia);
  ball.add_contact(0, {0, -1}, {0, 1}, law);
  const DenseResult r = solve_dense_gauss_seidel(ball.problem(before, before));
  const Eigen::Vector3d after = ball.velocity_after(before, r.impulse);
  return {after, r.impulse, after[0] + after[2], ball.kinetic_energy(before), ball.kinetic_energy(after)};
}

TEST(Superball, spins_back_and_keeps_its_energy) {
  const Bounce b = bounce(kSphere, {1, 1, 1}, {1, -1, 0});
  EXPECT_NEAR(b.after[0], 3.0 / 7.0, 1e-15);
  EXPECT_NEAR(b.after[1], 1.0, 1e-15);
  EXPECT_NEAR(b.after[2], -10.0 / 7.0, 3e-15);
  EXPECT_NEAR(b.energy_after, b.energy_before, 3e-15);
}

TEST(Superball, listed_slide_and_stick) {
  EXPECT_NEAR(bounce(kSphere, {0.1, 0.8, 0.4}, {1, -1, 0}).contact_speed, 0.37, 1e-15);
  const Bounce stick = bounce(kSphere, {0.3, 0.5, 0}, {1, -1, 0});
  EXPECT_NEAR(stick.after[0], 0.714286, 5e-7);
  EXPECT_NEAR(stick.after[1], 0.5, 1e-15);
  EXPECT_NEAR(stick.contact_speed, 0.0, 1e-15);
}

TEST(Superball, backspin_returns_a_ball_thrown_forward) {
  const Bounce b =
      bounce(kSphere, {1, 0.8, 0.8}, {0.5, -2, 3});  // counter-clockwise spin: the contact point moves forward faster
  EXPECT_LT(b.after[0], 0.0);
  EXPECT_NEAR(b.contact_speed, -0.8 * 3.5, 1e-14);
}

TEST(Superball, every_bounce_follows_the_three_parameter_law) {
  RandomStream random(31);
  int stuck = 0;
  for (int n = 0; n < 20000; ++n) {
    const double inertia = n % 2 ? kSphere : kDisc, h = 1 + 1 / inertia;
    const double mu = random.uniform(0, 1), rho = random.uniform(), tau = random.uniform();
    const Eigen::Vector3d before(random.uniform(-1, 1), -random.uniform(), random.uniform(-1, 1));
    const double U = before[0] + before[2], approach = -before[1];
    const Bounce b = bounce(inertia, {mu, rho, tau}, before);
    const bool sticks = (1 + tau) * std::abs(U) / h <= mu * (1 + rho) * approach;
    stuck += sticks;
    ASSERT_NEAR(b.after[1], rho * approach, 1e-15);
    ASSERT_NEAR(b.impulse[0], (1 + rho) * approach, 1e-15);
    ASSERT_NEAR(b.contact_speed, sticks ? -tau * U : U - mu * (1 + rho) * approach * h * (U > 0 ? 1 : -1), 5e-15) << n;
    // Spin about the contact point is untouched by any impulse applied there.
    ASSERT_NEAR(inertia * b.after[2] - b.after[0], inertia * before[2] - before[0], 2e-15);
  }
  EXPECT_GT(stuck, 3000);
  EXPECT_LT(stuck, 17000);
}

}  // namespace
}  // namespace moreau
