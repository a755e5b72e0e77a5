// A heavy bar between two walls that converge upward (Moreau 2003, sec. 8.1, fig. 1): rest and free fall are both
// solutions, and what decides is the degree of wedging, i.e. the impulses that the bar brings from its past.
//
//        \         /         walls at beta = 10 degrees from the vertical, gamma = 0.5
//         \       /          each end is held by (X, m g h / 2) as long as the angle to the normal is below friction:
//        A o=====o B         X >= X_min = m g h / (2 tan(phi - beta)),  phi = atan(gamma)
//       /           \        .
#include <gtest/gtest.h>

#include "moreau/solver/given/dense_gauss_seidel.hpp"
#include "oracle/enumeration.hpp"
#include "oracle/rigid_system.hpp"

namespace moreau {
namespace {

struct Wedge {
  oracle::RigidSystem bar;
  DenseProblem problem;
  Eigen::Vector3d free{0, -1, 0};  // m = 1, g h = 1
  double least_thrust;

  explicit Wedge(double gamma = 0.5, double beta_degrees = 10.0) {
    const double beta = beta_degrees * M_PI / 180.0;
    bar.add_body(1.0, 1.0 / 3.0);
    bar.add_contact(0, {-1, 0}, {std::cos(beta), -std::sin(beta)}, {gamma, 0, 0});
    bar.add_contact(0, {1, 0}, {-std::cos(beta), -std::sin(beta)}, {gamma, 0, 0});
    problem = bar.problem(Eigen::Vector3d::Zero(), free);
    least_thrust = 0.5 / std::tan(std::atan(gamma) - beta);
  }
  // The impulse (X, 1/2) at A and (-X, 1/2) at B, in the local frames.
  Eigen::VectorXd thrust(double X) const {
    const Eigen::MatrixXd G = bar.G();
    Eigen::VectorXd p(4);
    for (int i = 0; i < 4; ++i) p[i] = G.row(i).head<2>().dot(Eigen::Vector2d(i < 2 ? X : -X, 0.5));
    return p;
  }
};

TEST(WedgedBar, least_thrust) { EXPECT_NEAR(Wedge().least_thrust, 1.68096, 5e-6); }

TEST(WedgedBar, falls_from_a_cold_start) {
  const Wedge w;
  const DenseResult r = solve_dense_gauss_seidel(w.problem);
  EXPECT_TRUE(r.converged);
  EXPECT_LE(r.impulse.norm(), 1e-11);
  EXPECT_LE((w.bar.velocity_after(w.free, r.impulse) - w.free).norm(), 1e-11);
}

TEST(WedgedBar, falls_when_wedged_too_little) {
  const Wedge w;
  const DenseResult r = solve_dense_gauss_seidel(w.problem, {}, w.thrust(0.99 * w.least_thrust));
  EXPECT_TRUE(r.converged);
  EXPECT_LE(r.impulse.norm(), 1e-11);
}

TEST(WedgedBar, holds_and_keeps_its_thrust_when_wedged_enough) {
  const Wedge w;
  for (const double factor : {1.01, 1.5, 3.0}) {
    const Eigen::VectorXd start = w.thrust(factor * w.least_thrust);
    const DenseResult r = solve_dense_gauss_seidel(w.problem, {}, start);
    EXPECT_TRUE(r.converged);
    EXPECT_LE((r.impulse - start).norm(), 1e-14 * start.norm()) << factor;
    EXPECT_LE(w.bar.velocity_after(w.free, r.impulse).norm(), 1e-14) << factor;
  }
}

// The enumeration sees both solutions: open-open, and a stick-stick family found by the linear program.
TEST(WedgedBar, rest_and_fall_are_both_solutions_only_if_friction_angle_exceeds_wall_angle) {
  EXPECT_GE(oracle::enumerate_solutions(Wedge(0.5, 10).problem).size(), 2u);
  EXPECT_EQ(oracle::enumerate_solutions(Wedge(0.17, 10).problem).size(), 1u);  // tan 10 deg = 0.1763
  EXPECT_GE(oracle::enumerate_solutions(Wedge(0.18, 10).problem).size(), 2u);
}

}  // namespace
}  // namespace moreau
