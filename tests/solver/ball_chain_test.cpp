// Columns and rows of equal balls: the slowest case of Gauss-Seidel, and what formal velocities make of Newton's cradle.
//
//      o  n                      a row, all touching:   o -> ooo...o
//      o  ...
//      o  1
//    -----  column on a floor
#include <gtest/gtest.h>

#include "moreau/solver/given/dense_gauss_seidel.hpp"
#include "oracle/rigid_system.hpp"

namespace moreau {
namespace {

oracle::RigidSystem column(int n) {
  oracle::RigidSystem s;
  for (int i = 0; i < n; ++i) s.add_body(1.0, 0.4);
  s.add_contact(0, {0, -1}, {0, 1}, {0, 0, 0});
  for (int i = 1; i < n; ++i) s.add_contact(i, {0, -1}, {0, 1}, {0, 0, 0}, i - 1, {0, 1});
  return s;
}

// Balls along x; contact i is between ball i and ball i + 1, its normal toward ball i + 1.
oracle::RigidSystem row(int n, double rho) {
  oracle::RigidSystem s;
  for (int i = 0; i < n; ++i) s.add_body(1.0, 0.4);
  for (int i = 0; i + 1 < n; ++i) s.add_contact(i + 1, {-1, 0}, {1, 0}, {0, rho, 0}, i, {1, 0});
  return s;
}

Eigen::VectorXd gravity_step(int n) {
  Eigen::VectorXd u = Eigen::VectorXd::Zero(3 * n);
  for (int i = 0; i < n; ++i) u[3 * i + 1] = -1.0;  // g h = 1
  return u;
}

// The factor by which the change of one sweep exceeds the next, once the slowest mode is alone.
double contraction(const DenseResult& r, double floor) {
  std::size_t k = 0;
  while (k + 1 < r.change.size() && r.change[k + 1] > floor) ++k;
  return r.change[k] / r.change[k - 1];
}

TEST(BallColumn, each_contact_carries_what_is_above_it) {
  for (const int n : {1, 5, 20}) {
    const auto s = column(n);
    const Eigen::VectorXd free = gravity_step(n);
    const DenseResult r =
        solve_dense_gauss_seidel(s.problem(Eigen::VectorXd::Zero(3 * n), free), {.tolerance = 1e-15, .max_sweeps = 100000});
    ASSERT_TRUE(r.converged);
    for (int k = 0; k < n; ++k) EXPECT_NEAR(r.impulse[2 * k], n - k, 1e-10) << n;
    EXPECT_LE(s.velocity_after(free, r.impulse).norm(), 1e-11);
  }
}

TEST(BallColumn, gauss_seidel_contracts_by_cos_squared_of_pi_over_2n) {
  for (const auto& [n, factor] : {std::pair{5, 0.904508}, {10, 0.975528}, {20, 0.993844}}) {
    const auto s = column(n);
    const DenseResult r =
        solve_dense_gauss_seidel(s.problem(Eigen::VectorXd::Zero(3 * n), gravity_step(n)), {.keep_history = true});
    const double exact = std::pow(std::cos(M_PI / (2 * n)), 2);
    EXPECT_NEAR(exact, factor, 5e-7);
    EXPECT_NEAR(contraction(r, 1e-9), exact, 1e-6) << n;
  }
}

TEST(BallColumn, over_relaxation_changes_the_sweeps_but_not_the_answer) {
  const int n = 20;
  const DenseProblem p = column(n).problem(Eigen::VectorXd::Zero(3 * n), gravity_step(n));
  const DenseResult plain = solve_dense_gauss_seidel(p), over = solve_dense_gauss_seidel(p, {.relaxation = 1.7});
  EXPECT_TRUE(over.converged);
  EXPECT_LE((plain.impulse - over.impulse).norm(), 1e-8);
  EXPECT_LT(over.sweeps, plain.sweeps / 4);
  const DenseResult under = solve_dense_gauss_seidel(p, {.relaxation = 0.7});
  EXPECT_LE((plain.impulse - under.impulse).norm(), 1e-8);
  EXPECT_GT(under.sweeps, plain.sweeps);
}

Eigen::VectorXd strike(int n, int strikers, double rho, DenseResult* result = nullptr) {
  const auto s = row(n, rho);
  Eigen::VectorXd before = Eigen::VectorXd::Zero(3 * n);
  for (int i = 0; i < strikers; ++i) before[3 * i] = 1.0;
  const DenseResult r =
      solve_dense_gauss_seidel(s.problem(before, before), {.tolerance = 1e-16, .max_sweeps = 100000, .keep_history = true});
  const Eigen::VectorXd after = s.velocity_after(before, r.impulse);
  if (rho == 1.0) {
    EXPECT_NEAR(s.kinetic_energy(after), s.kinetic_energy(before), 1e-13);
  }
  if (result) *result = r;
  Eigen::VectorXd along(n);
  for (int i = 0; i < n; ++i) along[i] = after[3 * i];
  return along;
}

TEST(BallRow, one_striker_shares_its_momentum_with_all_instead_of_sending_the_last) {
  for (const int n : {2, 3, 5, 8})
    for (const double rho : {0.0, 0.5, 1.0}) {
      const Eigen::VectorXd v = strike(n, 1, rho);
      EXPECT_NEAR(v[0], 1 - (1 + rho) * (n - 1) / n, 1e-13) << n << ' ' << rho;
      for (int i = 1; i < n; ++i) EXPECT_NEAR(v[i], (1 + rho) / n, 1e-13) << n << ' ' << rho;
    }
  DenseResult r;
  strike(3, 1, 1.0, &r);
  EXPECT_NEAR(r.impulse[0], 4.0 / 3.0, 1e-14);
  EXPECT_NEAR(r.impulse[2], 2.0 / 3.0, 1e-14);
}

TEST(BallRow, several_strikers) {
  for (const double rho : {0.0, 0.5, 1.0}) {
    const int n = 5, k = 2;
    const Eigen::VectorXd v = strike(n, k, rho);
    const double striker = (k - (n - k) * rho) / n;
    for (int i = 0; i < n; ++i) EXPECT_NEAR(v[i], i < k ? striker : striker + rho, 1e-13) << rho;
  }
}

TEST(BallRow, gauss_seidel_contracts_by_cos_squared_of_pi_over_n) {
  for (const int n : {5, 10}) {
    DenseResult r;
    strike(n, 1, 1.0, &r);
    EXPECT_NEAR(contraction(r, 1e-9), std::pow(std::cos(M_PI / n), 2), 1e-6) << n;
  }
}

}  // namespace
}  // namespace moreau
