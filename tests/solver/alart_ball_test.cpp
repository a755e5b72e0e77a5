// A ball pressed between two orthogonal walls, one of them driven (Alart 2015, fig. 1): no solution, or no
// bounded one, once both friction coefficients reach 1, because the chord between the contact points then lies in both friction
// cones.
//
//        |  contact 2, wall moves left at V
//     ( )|  n2 = (-1, 0), t2 = (0, 1)        ball: m = 1, R = 1, inertia kappa m R^2
//    -----  contact 1, fixed floor           free velocity (0, -w), w = g h
//           n1 = (0, 1), t1 = (1, 0)         wedge: wall turned to the interior angle beta < 90 degrees
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "moreau/solver/given/dense_gauss_seidel.hpp"
#include "oracle/enumeration.hpp"
#include "oracle/rigid_system.hpp"

namespace moreau {
namespace {

DenseProblem corner(double mu1, double mu2, double w, double V, double kappa = 0.5, double beta = M_PI / 2) {
  oracle::RigidSystem ball;
  ball.add_body(1.0, kappa);
  const Eigen::Vector2d n2(-std::sin(beta), -std::cos(beta));
  ball.add_contact(0, {0, -1}, {0, 1}, {mu1, 0, 0});
  ball.add_contact(0, -n2, n2, {mu2, 0, 0}, -1, {0, 0}, V * n2);
  return ball.problem(Eigen::Vector3d::Zero(), Eigen::Vector3d(0, -w, 0));
}

// Closed forms of the three branches, mu1 = mu2 = mu < 1, V > 0, w > 0.
struct Branch {
  char name;
  Eigen::Vector4d impulse;  // N1, T1, N2, T2
};
Branch closed_form(double mu, double w, double V, double kappa) {
  if (w <= V) {  // translation
    const double N1 = w / (1 - mu);
    return {'A', {N1, mu * N1, V + mu * N1, -mu * N1}};
  }
  if (mu * (w - V) < kappa * (1 + mu) * V) {  // slips on both
    const double N2 = (V + mu * w) / (1 - mu * mu), N1 = w + mu * N2;
    return {'B', {N1, mu * N1, N2, -mu * N2}};
  }
  const double N2 = V * (1 + kappa) / (1 - mu);  // rolls on the floor
  return {'C', {w + mu * N2, N2 - V, N2, -mu * N2}};
}

TEST(AlartBall, delassus_matrix_and_its_kernel) {
  const double k = 0.5;
  Eigen::Matrix4d expected;
  expected << 1, 0, 0, 1, 0, 1 + 1 / k, -1, 1 / k, 0, -1, 1, 0, 1, 1 / k, 0, 1 + 1 / k;
  const DenseProblem p = corner(0.5, 0.5, 1, 2);
  EXPECT_LE((p.delassus - expected).norm(), 1e-15);
  EXPECT_LE((p.delassus * Eigen::Vector4d(1, 1, 1, -1)).norm(), 1e-15);
  EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(p.delassus).rank(), 3);
}

TEST(AlartBall, below_critical_friction_the_solution_is_unique_and_known) {
  RandomStream random(21);
  int seen[3] = {};
  for (int n = 0; n < 3000; ++n) {
    const double mu = random.uniform(0.01, 0.95), w = random.uniform(0.01, 2), V = random.uniform(0.01, 2);
    const double kappa = n % 2 ? 0.5 : 0.4;
    const DenseProblem problem = corner(mu, mu, w, V, kappa);
    const Branch branch = closed_form(mu, w, V, kappa);
    ++seen[branch.name - 'A'];
    const DenseResult r = solve_dense_gauss_seidel(problem, {.tolerance = 1e-14});
    ASSERT_TRUE(r.converged) << n;
    ASSERT_LE((r.impulse - branch.impulse).norm(), 1e-12 * branch.impulse.norm() / (1 - mu)) << n << branch.name;
    const auto all = oracle::enumerate_solutions(problem);
    ASSERT_EQ(all.size(), 1u) << n;
    ASSERT_LE((all[0].impulse - branch.impulse).norm(), 1e-11 * branch.impulse.norm()) << n;
  }
  for (const int count : seen) EXPECT_GT(count, 300);
}

TEST(AlartBall, impulses_diverge_as_friction_approaches_one) {
  for (const auto& [mu, N1] : {std::pair{0.5, 2.0}, {0.9, 10.0}, {0.99, 100.0}}) {
    const DenseResult r = solve_dense_gauss_seidel(corner(mu, mu, 1, 2), {.tolerance = 1e-14, .max_sweeps = 20000});
    EXPECT_NEAR(r.impulse[0], N1, 1e-9 * N1);
  }
}

TEST(AlartBall, sweeps_needed_grow_like_the_inverse_distance_to_critical_friction) {
  for (const auto& [mu, sweeps] : {std::pair{0.3, 38}, {0.5, 58}, {0.9, 330}, {0.99, 3390}}) {
    const DenseResult r = solve_dense_gauss_seidel(corner(mu, mu, 1, 2), {.stop = DenseStop::impulse, .tolerance = 1e-10});
    EXPECT_TRUE(r.converged);
    EXPECT_EQ(r.sweeps, sweeps) << mu;
    EXPECT_FALSE(r.unbounded);
  }
}

// Slope m V kappa / (1 + 2 kappa) whatever mu > 1 and w. At mu = 1 exactly the chord is on the border of the cones, and a light
// ball slips: the slope is then limited by w / (1 + kappa) (measured here; Alart gives only the first form).
TEST(AlartBall, above_critical_friction_nothing_exists_and_impulses_grow_linearly) {
  for (const double kappa : {0.5, 0.4})
    for (const double mu : {1.0, 1.2, 3.0})
      for (const double w : {0.5, 1.0}) {
        const double V = 2.0, slope = V * kappa / (1 + 2 * kappa), expected = mu > 1 ? slope : std::min(slope, w / (1 + kappa));
        const DenseProblem problem = corner(mu, mu, w, V, kappa);
        EXPECT_TRUE(oracle::enumerate_solutions(problem).empty()) << mu;
        const DenseResult r = solve_dense_gauss_seidel(problem, {.max_sweeps = 1000}, {});
        EXPECT_FALSE(r.converged);
        EXPECT_TRUE(r.unbounded) << mu;
        const DenseResult later = solve_dense_gauss_seidel(problem, {.max_sweeps = 1001});
        const Eigen::VectorXd growth = (later.impulse - r.impulse).cwiseAbs();
        for (int i = 0; i < 4; ++i) EXPECT_NEAR(growth[i], expected, 1e-9) << "component " << i << " mu " << mu;
      }
}

TEST(AlartBall, a_solution_exists_if_and_only_if_the_smaller_friction_is_below_one) {
  RandomStream random(22);
  for (int n = 0; n < 2000; ++n) {
    const double mu1 = random.uniform(0.0, 2.0), mu2 = random.uniform(0.0, 2.0);
    const auto all = oracle::enumerate_solutions(corner(mu1, mu2, random.uniform(0.01, 2), random.uniform(0.01, 2)));
    if (std::abs(std::min(mu1, mu2) - 1.0) < 1e-3) continue;
    ASSERT_EQ(all.empty(), std::min(mu1, mu2) >= 1.0) << mu1 << ' ' << mu2;
  }
}

TEST(AlartBall, weightless_ball_is_just_pushed) {
  for (const double mu : {0.3, 1.0, 2.0}) {
    const DenseResult r = solve_dense_gauss_seidel(corner(mu, mu, 0, 2));
    EXPECT_TRUE(r.converged);
    EXPECT_LE((r.impulse - Eigen::Vector4d(0, 0, 2, 0)).norm(), 1e-15);
  }
}

TEST(AlartBall, at_rest_any_pinching_is_kept_above_critical_friction_and_none_below) {
  const double w = 1.0;
  for (const double s : {0.0, 0.1, 1.0, 50.0}) {
    const Eigen::Vector4d start(w + s, s, s, -s);
    for (const double mu : {1.0, 1.5}) {
      const DenseResult r = solve_dense_gauss_seidel(corner(mu, mu, w, 0), {}, start);
      EXPECT_TRUE(r.converged);
      EXPECT_LE((r.impulse - start).norm(), 1e-14 * start.norm()) << mu << ' ' << s;
      EXPECT_LE(r.velocity.norm(), 1e-14 * (1 + s));
    }
    const DenseResult below = solve_dense_gauss_seidel(corner(0.9, 0.9, w, 0), {}, start);
    EXPECT_LE((below.impulse - Eigen::Vector4d(w, 0, 0, 0)).norm(), 1e-10) << s;
  }
}

// Wedge of interior angle beta: kernel (1, t, 1, -t), critical friction t = tan(beta / 2).
TEST(AlartBall, sharper_wedge_has_lower_critical_friction) {
  for (const auto& [degrees, rounded] : {std::pair{30, 0.268}, {45, 0.414}, {60, 0.577}, {90, 1.0}}) {
    const double beta = degrees * M_PI / 180.0, critical = std::tan(beta / 2);
    EXPECT_NEAR(critical, rounded, 5e-4);
    EXPECT_LE((corner(1, 1, 1, 1, 0.5, beta).delassus * Eigen::Vector4d(1, critical, 1, -critical)).norm(), 1e-14);
    RandomStream random(degrees);
    for (int n = 0; n < 300; ++n) {
      const double w = random.uniform(0.01, 2), V = random.uniform(0.01, 2);
      const double low = critical * random.uniform(0.0, 0.99), high = critical * random.uniform(1.01, 3.0);
      ASSERT_EQ(oracle::enumerate_solutions(corner(low, low, w, V, 0.5, beta)).size(), 1u) << degrees << ' ' << low;
      ASSERT_TRUE(oracle::enumerate_solutions(corner(high, high, w, V, 0.5, beta)).empty()) << degrees << ' ' << high;
    }
    for (const double factor : {0.9, 1.1}) {
      const DenseProblem problem = corner(factor * critical, factor * critical, 1, 2, 0.5, beta);
      const DenseResult r = solve_dense_gauss_seidel(problem, {.max_sweeps = 5000});
      EXPECT_EQ(r.converged, factor < 1) << degrees;
      EXPECT_EQ(r.unbounded, factor > 1) << degrees;
      if (factor > 1) continue;
      EXPECT_LE((r.impulse - oracle::enumerate_solutions(problem)[0].impulse).norm(), 1e-9) << degrees;
    }
  }
}

}  // namespace
}  // namespace moreau
