// Dense Gauss-Seidel on random problems against oracles that share no code with it.
#include <gtest/gtest.h>

#include <algorithm>

#include "moreau/base/random.hpp"
#include "moreau/solver/given/dense_gauss_seidel.hpp"
#include "oracle/enumeration.hpp"
#include "oracle/property.hpp"
#include "oracle/quadratic_program.hpp"
#include "oracle/rigid_system.hpp"

namespace moreau {
namespace {

Eigen::MatrixXd random_matrix(RandomStream& random, int rows, int columns) {
  Eigen::MatrixXd m(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) m(i, j) = random.uniform(-1, 1);
  return m;
}

// W = B B^T + 0.05 I: coupled contacts of arbitrary bodies.
DenseProblem random_problem(RandomStream& random, int dimension, int contacts, double largest_friction) {
  const int size = dimension * contacts;
  const Eigen::MatrixXd B = random_matrix(random, size, size);
  DenseProblem p;
  p.dimension = dimension;
  p.delassus = B * B.transpose() / size + 0.05 * Eigen::MatrixXd::Identity(size, size);
  p.free = random_matrix(random, size, 1);
  for (int a = 0; a < contacts; ++a) p.friction.push_back(largest_friction * random.uniform());
  return p;
}

// A body struck at 1 to 3 points of its rim: W has rank 3 at most.
DenseProblem random_impact(RandomStream& random, int contacts) {
  oracle::RigidSystem body;
  body.add_body(1.0, random.uniform(0.1, 0.6));
  for (int a = 0; a < contacts; ++a) {
    const double angle = random.uniform(0, 2 * M_PI), tilt = angle + random.uniform(-0.6, 0.6);
    body.add_contact(0, Eigen::Vector2d(std::cos(angle), std::sin(angle)), Eigen::Vector2d(-std::cos(tilt), -std::sin(tilt)),
                     {random.uniform(), 0, 0});
  }
  const Eigen::Vector3d u(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  return body.problem(u, u);
}

TEST(DenseGaussSeidel, frictional_problems_in_the_plane_reach_the_enumerated_solution) {
  RandomStream random(41);
  int converged = 0, cases = 0;
  for (int n = 0; n < 3000; ++n) {
    const DenseProblem p = random_problem(random, 2, 1 + n % 3, 0.8);
    const DenseResult r = solve_dense_gauss_seidel(p, {.max_sweeps = 5000});
    const auto all = oracle::enumerate_solutions(p);
    ++cases;
    ASSERT_EQ(all.size(), 1u) << n;  // moderate coupling: never more than one was found
    if (!r.converged) continue;
    ++converged;
    ASSERT_LE(r.residual, 2e-11) << n;
    ASSERT_LE((all[0].impulse - r.impulse).norm(), 1e-9 * (1 + r.impulse.norm())) << n;
  }
  EXPECT_EQ(converged, cases);
}

TEST(DenseGaussSeidel, impacts_on_one_body_end_with_an_enumerated_velocity) {
  RandomStream random(42);
  int converged = 0, cases = 0, none = 0;
  for (int n = 0; n < 1200; ++n) {
    const DenseProblem p = random_impact(random, 1 + n % 3);
    const DenseResult r = solve_dense_gauss_seidel(p, {.max_sweeps = 3000});
    const auto all = oracle::enumerate_solutions(p);
    ++cases;
    none += all.empty();
    ASSERT_FALSE(r.unbounded) << n;  // a solution exists: slow is not unbounded
    if (!r.converged) continue;
    ++converged;
    ASSERT_LE(r.residual, 1e-10) << n;
    double nearest = INFINITY;
    for (const auto& s : all) nearest = std::min(nearest, (s.velocity - r.velocity).norm());
    ASSERT_LE(nearest, 1e-7) << n << ' ' << all.size();
  }
  EXPECT_EQ(none, 0);
  EXPECT_GE(converged, cases * 99 / 100);
}

TEST(DenseGaussSeidel, frictionless_problems_are_the_quadratic_program) {
  RandomStream random(43);
  for (int n = 0; n < 500; ++n) {
    const int contacts = 1 + n % 12;
    DenseProblem p = random_problem(random, n % 2 ? 2 : 3, contacts, 0.0);
    Eigen::MatrixXd W(contacts, contacts);
    Eigen::VectorXd q(contacts);
    for (int a = 0; a < contacts; ++a) {
      q[a] = p.free[p.dimension * a];
      for (int b = 0; b < contacts; ++b) W(a, b) = p.delassus(p.dimension * a, p.dimension * b);
    }
    const Eigen::VectorXd expected = oracle::solve_frictionless_by_pivoting(W, q);
    const DenseResult r = solve_dense_gauss_seidel(p, {.tolerance = 1e-15, .max_sweeps = 100000});
    ASSERT_TRUE(r.converged) << n;
    for (int a = 0; a < contacts; ++a) {
      ASSERT_NEAR(r.impulse[p.dimension * a], expected[a], 1e-11 * (1 + expected.norm())) << n;
      ASSERT_EQ(r.impulse[p.dimension * a + 1], 0.0);
    }
  }
}

// Fact 8: the velocity is unique though the impulses are not; W singular, more contacts than freedoms. A body nearly caught
// between its contacts may contract by less than 1e-6 per sweep: such cases (4 of 300 at 50 000 sweeps) are not counted as
// failures, but must be few.
TEST(DenseGaussSeidel, frictionless_hyperstatic_problems_have_one_velocity) {
  RandomStream random(44);
  int converged = 0;
  for (int n = 0; n < 300; ++n) {
    DenseProblem p = random_impact(random, 5);
    for (double& mu : p.friction) mu = 0.0;
    const DenseResult r = solve_dense_gauss_seidel(p, {.tolerance = 1e-14, .max_sweeps = 50000});
    ASSERT_FALSE(r.unbounded) << n;
    if (!r.converged) continue;
    ++converged;
    Eigen::MatrixXd W(5, 5);
    Eigen::VectorXd q(5), w(5);
    for (int a = 0; a < 5; ++a) {
      q[a] = p.free[2 * a], w[a] = r.velocity[2 * a];
      for (int b = 0; b < 5; ++b) W(a, b) = p.delassus(2 * a, 2 * b);
    }
    const Eigen::VectorXd expected = q + W * oracle::solve_frictionless_by_enumeration(W, q);
    ASSERT_LE((w - expected).norm(), 1e-9) << n;
  }
  EXPECT_GE(converged, 296);
}

TEST(DenseGaussSeidel, space_problems_end_on_the_law) {
  RandomStream random(45);
  int converged = 0;
  for (int n = 0; n < 2000; ++n) {
    const DenseProblem p = random_problem(random, 3, 1 + n % 5, 0.6);
    const DenseResult r = solve_dense_gauss_seidel(p);
    converged += r.converged;
    if (r.converged) {
      ASSERT_LE(r.residual, 1e-10) << n;
    }
  }
  EXPECT_GE(converged, 1990);
}

// A plane problem with a third, unsolicited direction is the same problem.
TEST(DenseGaussSeidel, plane_problem_seen_in_space) {
  RandomStream random(46);
  for (int n = 0; n < 500; ++n) {
    const int contacts = 1 + n % 3;
    const DenseProblem flat = random_problem(random, 2, contacts, 0.5);
    DenseProblem space;
    space.dimension = 3;
    space.friction = flat.friction;
    space.delassus = Eigen::MatrixXd::Identity(3 * contacts, 3 * contacts);
    space.free = Eigen::VectorXd::Zero(3 * contacts);
    for (int a = 0; a < 2 * contacts; ++a) {
      space.free[3 * (a / 2) + a % 2] = flat.free[a];
      for (int b = 0; b < 2 * contacts; ++b) space.delassus(3 * (a / 2) + a % 2, 3 * (b / 2) + b % 2) = flat.delassus(a, b);
    }
    const DenseResult in_plane = solve_dense_gauss_seidel(flat), in_space = solve_dense_gauss_seidel(space);
    ASSERT_EQ(in_plane.converged, in_space.converged);
    if (!in_plane.converged) continue;
    for (int a = 0; a < 2 * contacts; ++a)
      ASSERT_NEAR(in_space.impulse[3 * (a / 2) + a % 2], in_plane.impulse[a], 1e-9 * (1 + in_plane.impulse.norm())) << n;
  }
}

TEST(DenseGaussSeidel, scaling_velocities_scales_impulses) {
  EXPECT_TRUE(rc::check([] {
    RandomStream random(*rc::gen::inRange(0, 1000000));
    DenseProblem p = random_problem(random, 2, 2, 0.5);
    const double scale = std::ldexp(1.0, *rc::gen::inRange(-40, 41));
    const DenseResult one = solve_dense_gauss_seidel(p);
    p.free *= scale;
    const DenseResult scaled = solve_dense_gauss_seidel(p, {.tolerance = 1e-12 * scale});
    RC_ASSERT(scaled.sweeps == one.sweeps);
    RC_ASSERT((scaled.impulse - scale * one.impulse).norm() == 0.0);
  }));
}

TEST(DenseGaussSeidel, an_exact_start_is_kept) {
  RandomStream random(47);
  for (int n = 0; n < 300; ++n) {
    const DenseProblem p = random_problem(random, 2 + n % 2, 3, 0.3);
    const DenseResult cold = solve_dense_gauss_seidel(p, {.tolerance = 1e-14});
    if (!cold.converged) continue;
    const DenseResult warm = solve_dense_gauss_seidel(p, {.tolerance = 1e-12}, cold.impulse);
    ASSERT_EQ(warm.sweeps, 1) << n;
    ASSERT_LE((warm.impulse - cold.impulse).norm(), 1e-11) << n;
  }
}

// A stone on four feet: three too many. The order of the sweep chooses the forces, not the velocity (Moreau 2003, 8.3).
//
//      ______________
//     |      G       |      feet at x = -1, -1/3, 1/3, 1; mu = 0.5; dropped at rest, weight m g h = 1
//     |______________|
//     o    o    o    o
TEST(DenseGaussSeidel, sweep_order_chooses_among_admissible_forces_but_not_the_velocity) {
  oracle::RigidSystem stone;
  stone.add_body(1.0, 0.5);
  for (const double x : {-1.0, -1.0 / 3, 1.0 / 3, 1.0}) stone.add_contact(0, {x, -0.5}, {0, 1}, {0.5, 0, 0});
  const Eigen::Vector3d free(0.1, -1, 0);
  const DenseProblem p = stone.problem(Eigen::Vector3d::Zero(), free);
  std::vector<int> order{0, 1, 2, 3};
  double least = INFINITY, most = 0.0;
  do {
    const DenseResult r = solve_dense_gauss_seidel(p, {.tolerance = 1e-14, .order = order});
    ASSERT_TRUE(r.converged);
    EXPECT_LE(r.residual, 1e-12);
    EXPECT_LE(stone.velocity_after(free, r.impulse).norm(), 1e-12);
    EXPECT_NEAR(r.impulse[0] + r.impulse[2] + r.impulse[4] + r.impulse[6], 1.0, 1e-12);
    least = std::min(least, r.impulse[0]);
    most = std::max(most, r.impulse[0]);
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_GT(most - least, 0.1);
}

}  // namespace
}  // namespace moreau
