// Solvers that eliminate impulses and factorise over bodies against the same solvers on W.
#include "moreau/solver/given/body_form.hpp"

#include <gtest/gtest.h>

#include "moreau/solver/given/global_problem.hpp"
#include "moreau/solver/given/local_solver.hpp"
#include "solver/local_problems.hpp"

namespace moreau {
namespace {

// Bodies of six freedoms, each on `each` contacts of its own and coupled to the next body by one contact.
GlobalProblem row_of_bodies(RandomStream& random, int bodies, int each) {
  GlobalProblem g;
  const int n = 6 * bodies, contacts = bodies * each + bodies - 1;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n), H = Eigen::MatrixXd::Zero(n, 3 * contacts);
  for (int b = 0; b < bodies; ++b) {
    const Eigen::MatrixXd B = random_entries(random, 6, 6);
    M.block(6 * b, 6 * b, 6, 6) = B * B.transpose() + Eigen::MatrixXd::Identity(6, 6);
    for (int k = 0; k < each; ++k) H.block(6 * b, 3 * (b * each + k), 6, 3) = random_entries(random, 6, 3);
    if (b + 1 < bodies) H.block(6 * b, 3 * (bodies * each + b), 12, 3) = random_entries(random, 12, 3);
  }
  g.M = M.sparseView(), g.H = H.sparseView();
  g.f = M * random_entries(random, n, 1);
  g.w = Eigen::VectorXd::Zero(3 * contacts);
  for (int a = 0; a < contacts; ++a) g.friction.push_back(random.uniform(0.1, 0.8));
  return g;
}

TEST(BodyForm, matrix_over_bodies_is_what_it_says) {
  RandomStream random(91);
  const GlobalProblem g = row_of_bodies(random, 4, 5);
  const BodyForm form(g.M, g.H, 3);
  const int contacts = static_cast<int>(g.friction.size());
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(3 * contacts, 3 * contacts);
  std::vector<double> blocks;
  for (int a = 0; a < contacts; ++a) {
    const Eigen::MatrixXd block = random_entries(random, 3, 3);
    C.block(3 * a, 3 * a, 3, 3) = block;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) blocks.push_back(block(i, j));
  }
  const Eigen::MatrixXd expected = 0.7 * Eigen::MatrixXd(g.M) + g.H * C * g.H.transpose();
  EXPECT_LE((Eigen::MatrixXd(form.assemble(0.7, blocks)) - expected).norm(), 1e-13 * expected.norm());
  EXPECT_TRUE(form.symmetric());
}

TEST(BodyForm, same_velocities_with_and_without_bodies) {
  RandomStream random(92);
  for (int n = 0; n < 6; ++n) {
    const auto reduced = reduce(row_of_bodies(random, n < 3 ? 4 : 12, 5));  // a dense, and a sparse matrix over bodies
    ASSERT_TRUE(reduced);
    ASSERT_TRUE(reduced->local.bodies);
    LocalProblem without = reduced->local;
    without.bodies = nullptr;
    for (const auto solve : {solve_admm, solve_proximal_newton, solve_smoothing_newton}) {
      const LocalResult a = solve(reduced->local, {.tolerance = 1e-10}), b = solve(without, {.tolerance = 1e-10});
      ASSERT_TRUE(a.converged) << a.solver << ' ' << n << ' ' << a.certificate.error;
      if (!b.converged) continue;  // the reference has its own troubles
      EXPECT_LE((a.velocity - b.velocity).norm(), 1e-6 * (1 + b.velocity.norm())) << a.solver << ' ' << n;
    }
  }
}

}  // namespace
}  // namespace moreau
