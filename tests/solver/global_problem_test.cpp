// Reduction to local form against dense algebra.
#include "moreau/solver/given/global_problem.hpp"

#include <gtest/gtest.h>

#include "moreau/solver/given/local_solver.hpp"
#include "solver/local_problems.hpp"

namespace moreau {
namespace {

Eigen::MatrixXd dense_of(const LocalProblem& p) { return Eigen::MatrixXd(column_major(p.delassus)); }

// n freedoms in `groups` independent groups, badly scaled, p constraints, `contacts` contacts in space.
GlobalProblem random_global(RandomStream& random, int n, int groups, int p, int contacts) {
  GlobalProblem g;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
  const int size = n / groups;
  for (int k = 0; k < groups; ++k) {
    const Eigen::MatrixXd B = random_entries(random, size, size);
    M.block(k * size, k * size, size, size) = std::pow(10.0, 3 * k) * (B * B.transpose() + Eigen::MatrixXd::Identity(size, size));
  }
  M(0, 1) += 0.1;  // not symmetric
  g.M = M.sparseView();
  g.H = random_entries(random, n, 3 * contacts).sparseView();
  g.f = random_entries(random, n, 1);
  g.w = random_entries(random, 3 * contacts, 1);
  if (p > 0) g.G = random_entries(random, n, p).sparseView(), g.b = random_entries(random, p, 1);
  g.friction.assign(contacts, 0.3);
  return g;
}

TEST(Reduction, eliminates_masses_and_constraints) {
  RandomStream random(81);
  for (const int p : {0, 2})
    for (const auto& [n, groups] : {std::pair{12, 3}, std::pair{80, 1}}) {  // small parts, and one beyond the dense limit
      const GlobalProblem g = random_global(random, n, groups, p, 3);
      const auto reduced = reduce(g);
      ASSERT_TRUE(reduced);
      const LocalResult r = solve_automatic(reduced->local, {.tolerance = 1e-10});
      ASSERT_TRUE(r.converged);
      const auto rest = reduced->rest(r.impulse);
      Eigen::VectorXd balance = g.M * rest.global_velocity - g.H * r.impulse - g.f;
      if (p > 0) balance -= g.G * rest.multiplier;
      EXPECT_LE(balance.norm(), 1e-9 * (g.M * rest.global_velocity).norm());
      if (p > 0) {
        EXPECT_LE((g.G.transpose() * rest.global_velocity + g.b).norm(), 1e-8);
      }
      EXPECT_LE((g.H.transpose() * rest.global_velocity + g.w - r.velocity).norm(), 1e-7 * (1 + r.velocity.norm()));
    }
}

TEST(Reduction, mixed_form_eliminates_multipliers) {
  RandomStream random(82);
  const DenseProblem contacts = coupled_contacts(random, 3, 4, 0.5);
  MixedProblem m;
  m.W = contacts.delassus.sparseView();
  m.q = contacts.free, m.friction = contacts.friction;
  m.V = (0.1 * random_entries(random, 12, 2)).sparseView();
  m.R = Eigen::MatrixXd(Eigen::Vector2d(1.0, 2.0).asDiagonal()).sparseView();
  m.s = random_entries(random, 2, 1);
  const auto reduced = reduce(m);
  ASSERT_TRUE(reduced);
  const LocalResult r = solve_automatic(reduced->local, {});
  ASSERT_TRUE(r.converged);
  const Eigen::VectorXd l = reduced->rest(r.impulse).multiplier;
  EXPECT_LE((m.V.transpose() * r.impulse + m.R * l + m.s).norm(), 1e-10);
  EXPECT_LE((m.W * r.impulse + m.V * l + m.q - r.velocity).norm(), 1e-10);
  const Eigen::MatrixXd V = m.V, W = m.W, R = m.R;
  EXPECT_LE((W - V * R.inverse() * V.transpose() - dense_of(reduced->local)).norm(), 1e-12);
}

TEST(Reduction, singular_masses_are_refused) {
  RandomStream random(83);
  GlobalProblem g = random_global(random, 12, 3, 0, 2);
  for (int i = 0; i < 12; ++i) g.M.coeffRef(5, i) = 0.0;
  EXPECT_FALSE(reduce(g));
  g = random_global(random, 12, 3, 0, 2);
  g.M = Eigen::SparseMatrix<double>(12, 12);
  EXPECT_FALSE(reduce(g));
}

}  // namespace
}  // namespace moreau
