// Every solver of given matrices against answers that share no code with it; what they say about themselves against their result.
#include "moreau/solver/given/local_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/enumeration.hpp"
#include "oracle/quadratic_program.hpp"
#include "solver/local_problems.hpp"

namespace moreau {
namespace {

double nearest_velocity(const std::vector<oracle::ModeSolution>& all, const Eigen::VectorXd& velocity) {
  double nearest = HUGE_VAL;
  for (const auto& s : all) nearest = std::min(nearest, (s.velocity - velocity).norm());
  return nearest;
}

class EverySolver : public testing::TestWithParam<NamedSolver> {};

TEST_P(EverySolver, reaches_the_enumerated_solution_in_the_plane) {
  RandomStream random(71);
  for (int n = 0; n < 200; ++n) {
    const DenseProblem dense = coupled_contacts(random, 2, 1 + n % 3, 0.8);
    const LocalResult r = GetParam().solve(local_problem(dense), {.tolerance = 1e-11});
    const auto all = oracle::enumerate_solutions(dense);
    ASSERT_EQ(all.size(), 1u) << n;
    ASSERT_TRUE(r.converged) << n << ' ' << r.certificate.error;
    ASSERT_LE((all[0].impulse - r.impulse).norm(), 1e-9 * (1 + r.impulse.norm())) << n;
    ASSERT_LE((all[0].velocity - r.velocity).norm(), 1e-9) << n;
  }
}

// More contact points than freedoms: the velocity is unique, the impulses are not.
TEST_P(EverySolver, reaches_an_enumerated_velocity_of_a_hyperstatic_stone) {
  RandomStream random(72);
  for (int n = 0; n < 40; ++n) {
    const Eigen::Vector3d push(random.uniform(-1, 1), -1, random.uniform(-0.3, 0.3));
    const DenseProblem dense = stone(3 + n % 2, 0.1 + 0.8 * random.uniform(), push);
    const LocalResult r = GetParam().solve(local_problem(dense), {.tolerance = 1e-10});
    ASSERT_TRUE(r.converged) << n << ' ' << r.certificate.error;
    ASSERT_LE(nearest_velocity(oracle::enumerate_solutions(dense), r.velocity), 1e-7) << n;
  }
}

TEST_P(EverySolver, reaches_the_solution_of_one_contact_in_space) {
  RandomStream random(73);
  for (int n = 0; n < 200; ++n) {
    const DenseProblem dense = coupled_contacts(random, 3, 1, 0.6);
    DelassusBlock<3> H;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) H.c[i][j] = dense.delassus(i, j);
    const auto all = oracle::enumerate_one_contact({{dense.free[0], dense.free[1], dense.free[2]}}, H, dense.friction[0]);
    const LocalResult r = GetParam().solve(local_problem(dense), {.tolerance = 1e-11});
    ASSERT_TRUE(r.converged) << n << ' ' << r.certificate.error;
    double nearest = HUGE_VAL;
    for (const auto& p : all) nearest = std::min(nearest, (Eigen::Vector3d(p[0], p[1], p[2]) - r.impulse).norm());
    ASSERT_LE(nearest, 1e-8 * (1 + r.impulse.norm())) << n;
  }
}

TEST_P(EverySolver, frictionless_problems_are_the_quadratic_program) {
  RandomStream random(74);
  for (int n = 0; n < 60; ++n) {
    const int contacts = 1 + n % 12;
    const DenseProblem dense = coupled_contacts(random, n % 2 ? 2 : 3, contacts, 0.0);
    Eigen::MatrixXd W(contacts, contacts);
    Eigen::VectorXd q(contacts);
    for (int a = 0; a < contacts; ++a) {
      q[a] = dense.free[dense.dimension * a];
      for (int b = 0; b < contacts; ++b) W(a, b) = dense.delassus(dense.dimension * a, dense.dimension * b);
    }
    const Eigen::VectorXd expected = oracle::solve_frictionless_by_pivoting(W, q);
    const LocalResult r = GetParam().solve(local_problem(dense), {.tolerance = 1e-11});
    ASSERT_TRUE(r.converged) << n << ' ' << r.certificate.error;
    for (int a = 0; a < contacts; ++a)
      ASSERT_NEAR(r.impulse[dense.dimension * a], expected[a], 1e-8 * (1 + expected.norm())) << n;
  }
}

TEST_P(EverySolver, space_problems_end_on_the_law) {
  RandomStream random(75);
  for (int n = 0; n < 60; ++n) {
    const LocalProblem p = local_problem(coupled_contacts(random, 3, 2 + n % 8, 0.6));
    const LocalResult r = GetParam().solve(p, {.tolerance = 1e-10});
    ASSERT_TRUE(r.converged) << n << ' ' << r.certificate.error;
    ASSERT_LE(r.certificate.relative_violation(), 1e-8) << n;
  }
}

// What a solver reports is what its impulses are worth, recomputed here from scratch.
TEST_P(EverySolver, tells_the_truth_about_what_it_reached) {
  RandomStream random(76);
  for (const double tolerance : {1e-2, 1e-6, 1e-10})
    for (int limit : {1, 3, 0}) {
      const LocalProblem p = local_problem(coupled_contacts(random, 3, 12, 0.9));
      const LocalResult r = GetParam().solve(p, {.tolerance = tolerance, .max_iterations = limit});
      const Eigen::VectorXd u = p.velocity(r.impulse);
      EXPECT_EQ((u - r.velocity).norm(), 0.0);
      const double error = natural_error(p, r.impulse, u).relative;  // of the solvers: code of its own
      const double certified = std::max(r.certificate.error, r.certificate.relative_violation() / velocity_tolerances);
      EXPECT_NEAR(error, certified, 1e-14 + 1e-6 * error);
      EXPECT_EQ(r.converged, r.certificate.reached(tolerance));
      if (limit == 0) {
        EXPECT_TRUE(r.converged) << tolerance;
      }
    }
}

TEST_P(EverySolver, same_problem_gives_the_same_bits) {
  RandomStream random(77);
  const LocalProblem p = local_problem(coupled_contacts(random, 3, 20, 0.7));
  const LocalResult one = GetParam().solve(p, {}), two = GetParam().solve(p, {});
  EXPECT_EQ(one.iterations, two.iterations);
  EXPECT_TRUE((one.impulse.array() == two.impulse.array()).all());
}

TEST_P(EverySolver, no_contact_or_no_approach_needs_no_impulse) {
  EXPECT_TRUE(GetParam().solve(LocalProblem{}, {}).converged);
  DenseProblem apart{3, Eigen::MatrixXd::Identity(6, 6), Eigen::VectorXd::Ones(6), {0.5, 0.5}};
  const LocalResult r = GetParam().solve(local_problem(apart), {});
  EXPECT_TRUE(r.converged);
  EXPECT_LE(r.impulse.norm(), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Local, EverySolver, testing::ValuesIn(local_solvers()), [](const auto& given) {
  std::string name = given.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

// Masonry, where impulses are far from unique: a wall that can stand stands, whatever the solver; all reach the tolerance also
// when bricks tip or slide (when they slide velocities need not be unique either, the law of friction not being associated).
TEST(Masonry, hyperstatic_wall_stands_or_moves_alike_for_all_solvers) {
  for (const double tilt : {0.0, 0.2, 0.5}) {
    const LocalProblem p = local_problem(wall(6, 5, 0.4, tilt));
    const LocalResult reference = solve_automatic(p, {.tolerance = 1e-12});
    ASSERT_TRUE(reference.converged) << tilt << ' ' << reference.certificate.error;
    for (const auto solve : {solve_proximal_newton, solve_admm, solve_conjugate_sweeps}) {
      const LocalResult r = solve(p, {.tolerance = 1e-10, .max_time = 20});
      ASSERT_TRUE(r.converged) << r.solver << ' ' << tilt << ' ' << r.certificate.error;
      if (tilt == 0.0) {
        EXPECT_LE(r.velocity.norm(), 1e-7) << r.solver;
      }
      if (tilt == 0.2) {
        EXPECT_LE((r.velocity - reference.velocity).norm(), 1e-6) << r.solver;  // overhanging bricks tip over
      }
      if (tilt > 0.0) {
        EXPECT_GE(r.velocity.norm(), 0.1) << r.solver;
      }
    }
  }
}

// W with a skew part, as gyroscopic terms bring it.
TEST(Unsymmetric, solvers_agree) {
  RandomStream random(78);
  for (int n = 0; n < 20; ++n) {
    DenseProblem dense = coupled_contacts(random, 3, 6, 0.5);
    const Eigen::MatrixXd B = 0.01 * random_entries(random, 18, 18);
    dense.delassus += B - B.transpose();
    const LocalProblem p = local_problem(dense);
    const LocalResult reference = solve_proximal_newton(p, {.tolerance = 1e-12});
    ASSERT_TRUE(reference.converged);
    for (const NamedSolver& s : local_solvers()) {
      const LocalResult r = s.solve(p, {.tolerance = 1e-10});
      ASSERT_TRUE(r.converged) << s.name;
      EXPECT_LE((r.impulse - reference.impulse).norm(), 1e-7 * (1 + reference.impulse.norm())) << s.name;
    }
  }
}

TEST(LocalCertificate, catches_each_kind_of_wrong_solution) {
  RandomStream random(79);
  const LocalProblem p = local_problem(coupled_contacts(random, 3, 5, 0.5));
  const LocalResult right = solve_automatic(p, {.tolerance = 1e-12});
  ASSERT_TRUE(right.converged);
  ASSERT_LE(right.certificate.relative_violation(), 1e-10);
  int closed = -1;
  for (int a = 0; a < 5; ++a)
    if (right.impulse[3 * a] > 1e-3) closed = a;
  ASSERT_GE(closed, 0);
  for (const double wrong : {1e-6, 1e-3, 1.0})
    for (int component = 0; component < 3; ++component) {
      Eigen::VectorXd impulse = right.impulse;
      impulse[3 * closed + component] += wrong;
      const LocalCertificate c = certify(p, impulse, p.velocity(impulse));
      EXPECT_GT(c.error, 1e-3 * wrong / (1.0 + wrong)) << component;
      EXPECT_GT(c.residual, 1e-3 * wrong) << component;
    }
  // An impulse that pulls, and one outside its cone, are named as such.
  Eigen::VectorXd pulls = right.impulse;
  pulls[3 * closed] = -0.1;
  EXPECT_GT(certify(p, pulls, p.velocity(pulls)).cone, 0.05);
  // Without impulses, contacts approach.
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(15);
  EXPECT_EQ(certify(p, none, p.velocity(none)).approach,
            std::max(0.0, -std::min({p.free[0], p.free[3], p.free[6], p.free[9], p.free[12]})));
}

}  // namespace
}  // namespace moreau
