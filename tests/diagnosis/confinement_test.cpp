// Problems whose confinement is known in closed form (Alart 2015, fig. 1, and its wedge; beam on three supports).
//
//        |  contact 2, wall moves left at V
//     ( )|  n2 = (-1, 0)                     ball: m = 1, R = 1, disc
//    -----  contact 1, fixed floor           free velocity (0, -w)
//                                            wedge: wall turned to the interior angle beta
#include "moreau/diagnosis/confinement.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "moreau/base/random.hpp"
#include "moreau/solver/given/local_solver.hpp"
#include "oracle/enumeration.hpp"
#include "oracle/infeasible_problems.hpp"
#include "oracle/rigid_system.hpp"

namespace moreau {
namespace {

using namespace diagnosis;

struct Given {
  DenseProblem dense;
  LocalProblem local;
  Eigen::SparseMatrix<double> balance;
};

Given given(const oracle::RigidSystem& system, const Eigen::VectorXd& free) {
  Given g;
  g.dense = system.problem(Eigen::VectorXd::Zero(free.size()), free);
  g.local = local_problem(g.dense);
  g.balance = Eigen::MatrixXd(system.G().transpose()).sparseView();
  return g;
}

Given corner(double mu1, double mu2, double w, double V, double beta = M_PI / 2) {
  oracle::RigidSystem ball;
  ball.add_body(1.0, 0.5);
  const Eigen::Vector2d n2(-std::sin(beta), -std::cos(beta));
  ball.add_contact(0, {0, -1}, {0, 1}, {mu1});
  ball.add_contact(0, -n2, n2, {mu2}, -1, {0, 0}, V * n2);
  return given(ball, Eigen::Vector3d(0, -w, 0));
}

Existence existence_of(const Given& g) { return examine(g.local, g.balance, false).existence; }

int force_dimension(const Given& g) {
  LocalSettings settings;
  settings.tolerance = 1e-11;
  const LocalResult r = solve_automatic(g.local, settings);
  EXPECT_TRUE(r.converged);
  return force_set(g.local, g.balance, r.impulse, r.velocity, 1e-6).dimension;
}

TEST(Confinement, map_of_the_ball_between_walls_over_friction_and_wall_speed) {
  for (const double mu : {0.0, 0.3, 0.7, 0.99, 1.01, 1.5, 3.0})
    for (const double V : {-1.0, 0.0, 0.5, 2.0}) {
      SCOPED_TRACE(testing::Message() << "mu = " << mu << ", V = " << V);
      const Given g = corner(mu, mu, 1.0, V);
      const Confinement c = examine(g.local, g.balance, false);
      if (V > 0.0 && mu > 1.0) {  // no solution; the chord between the contacts is the culprit
        EXPECT_EQ(c.existence, Existence::none);
        ASSERT_TRUE(c.wedge.exists);
        EXPECT_FALSE(c.squeezed);
        EXPECT_EQ(c.wedge.contacts, (std::vector<int>{0, 1}));
        EXPECT_NEAR(c.wedge.power, -0.5 * V, 1e-12);  // d = (1, 1, 1, -1) / 2
        continue;
      }
      EXPECT_FALSE(c.wedge.exists);
      const bool pinched = mu > 1.0 && V == 0.0;
      // At rest with friction above 1 the power vanishes: that a solution exists is known only once it is found.
      if (!pinched) {
        EXPECT_EQ(c.existence, Existence::solution);
      }
      EXPECT_EQ(force_dimension(g), pinched ? 1 : 0);
    }
}

TEST(Confinement, wedge_has_no_solution_above_its_critical_friction) {
  for (const double degrees : {30.0, 45.0, 60.0, 90.0}) {
    const double beta = degrees * M_PI / 180.0, critical = std::tan(beta / 2);
    for (const double w : {0.3, 1.0}) {
      EXPECT_EQ(existence_of(corner(0.999 * critical, 0.999 * critical, w, 1.0, beta)), Existence::solution) << degrees;
      EXPECT_EQ(existence_of(corner(1.001 * critical, 1.001 * critical, w, 1.0, beta)), Existence::none) << degrees;
      EXPECT_EQ(existence_of(corner(2.0, 0.999 * critical, w, 1.0, beta)), Existence::solution) << degrees;
    }
  }
}

// With no weight the ball is pushed along the floor it does not press: the wedge is there, and yet a solution.
TEST(Confinement, weightless_ball_has_a_wedge_and_a_solution) {
  const Given g = corner(2.0, 2.0, 0.0, 1.0);
  const Confinement c = examine(g.local, g.balance, false);
  EXPECT_TRUE(c.wedge.exists);
  EXPECT_EQ(c.existence, Existence::solution);
}

TEST(Confinement, closing_plates_leave_no_velocity_to_a_ball) {
  for (const double mu : {0.0, 0.5}) {
    oracle::RigidSystem ball;
    ball.add_body(1.0, 0.5);
    ball.add_contact(0, {0, -1}, {0, 1}, {mu});
    ball.add_contact(0, {0, 1}, {0, -1}, {mu}, -1, {0, 0}, {0, -1.0});
    const Given g = given(ball, Eigen::Vector3d(0, -1, 0));
    const Confinement c = examine(g.local, g.balance, false);
    EXPECT_TRUE(c.squeezed);
    EXPECT_EQ(c.existence, Existence::none);
    EXPECT_NEAR(c.wedge.power, -0.5, 1e-12);
  }
}

TEST(Confinement, pinching_may_grow_without_bound_and_weight_sets_the_least) {
  const Given g = corner(1.5, 1.5, 1.0, 0.0);
  const Eigen::Vector4d r(1.7, 0.7, 0.7, -0.7);
  const ForceSet set = force_set(g.local, g.balance, r, g.local.velocity(r), 1e-9);
  EXPECT_EQ(set.dimension, 1);
  const auto ranges = normal_ranges(set.problem, r, {0, 1});
  // N1 = 1 + s, T1 = s, N2 = s, T2 = -s: in the cones for every s >= 0.
  EXPECT_NEAR(ranges[0].least, 1.0, 1e-9);
  EXPECT_NEAR(ranges[1].least, 0.0, 1e-9);
  EXPECT_TRUE(std::isinf(ranges[0].most) && std::isinf(ranges[1].most));
}

//   ___________
//   ^    ^    ^     weight 1 in the middle: N, 1 - 2 N, N
TEST(Confinement, beam_on_three_supports) {
  oracle::RigidSystem beam;
  beam.add_body(1.0, 1.0);
  for (const double x : {-1.0, 0.0, 1.0}) beam.add_contact(0, {x, 0}, {0, 1}, {0.0});
  const Given g = given(beam, Eigen::Vector3d(0, -1, 0));
  const LocalResult r = solve_automatic(g.local, {});
  const ForceSet set = force_set(g.local, g.balance, r.impulse, r.velocity, 1e-7);
  EXPECT_EQ(set.dimension, 1);
  const auto ranges = normal_ranges(set.problem, r.impulse, {0, 1, 2});
  EXPECT_NEAR(ranges[0].least, 0.0, 1e-9);
  EXPECT_NEAR(ranges[0].most, 0.5, 1e-9);
  EXPECT_NEAR(ranges[1].least, 0.0, 1e-9);
  EXPECT_NEAR(ranges[1].most, 1.0, 1e-9);
  oracle::RigidSystem two;
  two.add_body(1.0, 1.0);
  for (const double x : {-1.0, 1.0}) two.add_contact(0, {x, 0}, {0, 1}, {0.0});
  EXPECT_EQ(force_dimension(given(two, Eigen::Vector3d(0, -1, 0))), 0);
}

TEST(Confinement, search_of_modes_agrees_with_trying_all_of_them) {
  RandomStream random(7);
  int without = 0;
  for (int n = 0; n < 100; ++n) {
    oracle::RigidSystem ball;
    ball.add_body(1.0, 0.5);
    for (int k = 0; k < 3; ++k) {
      const double angle = random.uniform(0, 2 * M_PI);
      const Eigen::Vector2d normal(std::cos(angle), std::sin(angle));
      ball.add_contact(0, -normal, normal, {random.uniform(0, 2)}, -1, {0, 0}, random.uniform(-1, 1) * normal);
    }
    const Given g = given(ball, Eigen::Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)));
    const bool none = oracle::enumerate_solutions(g.dense).empty();
    without += none;
    const ModeSearch search = search_modes(g.local, 10000);
    ASSERT_EQ(search.existence, none ? Existence::none : Existence::solution) << n;
    const Confinement c = examine(g.local, g.balance, false);
    ASSERT_EQ(c.existence, search.existence) << n;
    if (none) {
      ASSERT_TRUE(c.wedge.exists) << n;
    } else {
      ASSERT_LE(natural_error(g.local, search.impulse, g.local.velocity(search.impulse)).relative, 1e-6) << n;
    }
  }
  EXPECT_GT(without, 5);
  EXPECT_LT(without, 95);
}

// The same in space: a sphere between the floor and a wall that makes the interior angle beta with it. The cones are round and
// turned about the normal, so that no facet of a pyramid lies in the plane of the two contacts.
TEST(Confinement, round_cones_in_space_have_the_same_critical_friction) {
  for (const double degrees : {40.0, 90.0}) {
    const double beta = degrees * M_PI / 180.0, critical = std::tan(beta / 2);
    const Eigen::Vector3d normals[2] = {{0, 0, 1}, {-std::sin(beta), 0, -std::cos(beta)}};
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(6, 6);
    for (int a = 0; a < 2; ++a) {
      const Eigen::Vector3d n = normals[a], y(0, 1, 0), x = y.cross(n);
      const Eigen::Vector3d axes[3] = {n, std::cos(0.3) * x + std::sin(0.3) * y, -std::sin(0.3) * x + std::cos(0.3) * y};
      for (int k = 0; k < 3; ++k) H.col(3 * a + k) << axes[k], (-n).cross(axes[k]);
    }
    Eigen::VectorXd inverse(6);
    inverse << 1, 1, 1, 2.5, 2.5, 2.5;
    const Eigen::MatrixXd W = H.transpose() * inverse.asDiagonal() * H;
    const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = W.sparseView();
    Eigen::VectorXd q = Eigen::VectorXd::Zero(6);
    q[3] = -1.0;  // the wall comes
    for (const double factor : {0.999, 1.001}) {
      const LocalProblem local{block_matrix(sparse, 3), q, {factor * critical, factor * critical}};
      const Confinement c = examine(local, H.sparseView(), false);
      EXPECT_EQ(c.wedge.exists, factor > 1.0) << degrees << ' ' << factor;
      if (factor > 1.0) {
        EXPECT_NEAR(c.wedge.power, -0.5, 1e-8);
        EXPECT_LE((H * c.wedge.impulse).norm(), 1e-8);
      }
      const Confinement by_matrix = examine(local, column_major(local.delassus), false);  // kernel of W instead of H
      EXPECT_EQ(by_matrix.wedge.exists, factor > 1.0);
    }
  }
}

// A cube on four corners of equal load, sticking: 12 impulses, 6 balances.
TEST(Confinement, cube_on_four_corners_has_six_self_stresses) {
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(6, 12);
  for (int a = 0; a < 4; ++a) {
    const Eigen::Vector3d arm(a % 2 ? 1 : -1, a / 2 ? 1 : -1, -1), axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int k = 0; k < 3; ++k) H.col(3 * a + k) << axes[k], arm.cross(axes[k]);
  }
  const Eigen::MatrixXd W = H.transpose() * H;
  const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = W.sparseView();
  Eigen::VectorXd v(6);
  v << 0, 0, -1, 0, 0, 0;
  const LocalProblem local{block_matrix(sparse, 3), H.transpose() * v, std::vector<double>(4, 0.5)};
  const LocalResult r = solve_automatic(local, {});
  ASSERT_TRUE(r.converged);
  const ForceSet set = force_set(local, H.sparseView(), r.impulse, r.velocity, 1e-6);
  EXPECT_EQ(set.dimension, 6);
  const auto range = normal_ranges(set.problem, r.impulse, {0})[0];
  EXPECT_NEAR(range.least, 0.0, 1e-7);
  EXPECT_NEAR(range.most, 0.5,
              1e-6);  // two opposite corners carry all; tangential parts have no resultant and hence no moment about the middle
}

// A sphere in a wedge of two walls, turned in space any way: wedged above tan(beta / 2) and never below, for all angles, and once
// wedged it stays so as friction grows.
TEST(Confinement, wedges_in_space_are_found_from_the_critical_friction_on) {
  RandomStream random(11);
  for (const double degrees : {10.0, 25.0, 40.0, 60.0, 80.0, 100.0, 120.0, 140.0}) {
    const double beta = degrees * M_PI / 180.0, critical = std::tan(beta / 2);
    const Eigen::Vector3d axis = oracle::random_direction<3>(random);
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(random.uniform(0, 6), axis).toRotationMatrix();
    const Eigen::Vector3d first = turn * Eigen::Vector3d(0, 0, 1),
                          second = turn * Eigen::Vector3d(-std::sin(beta), 0, -std::cos(beta));
    for (const double factor : {0.3, 0.9, 0.99, 0.9999, 1.0001, 1.01, 1.1, 1.5, 3.0, 10.0}) {
      SCOPED_TRACE(testing::Message() << degrees << " degrees, friction " << factor << " of the critical");
      oracle::BallSystem<3> sphere;
      sphere.add_ball(std::pow(10.0, random.uniform(-2, 2)), 0.5, turn * Eigen::Vector3d(0, 0, -0.2));
      sphere.add_contact(0, first, factor * critical, -1, 0.0, random.uniform(0, 6));
      sphere.add_contact(0, second, factor * critical, -1, 1.0, random.uniform(0, 6));
      const LocalProblem local = local_problem(sphere.problem());
      const Eigen::MatrixXd H = sphere.H();
      for (const Eigen::SparseMatrix<double>& balance :
           {Eigen::SparseMatrix<double>(H.sparseView()), column_major(local.delassus)}) {
        const Wedge wedge = find_wedge({3, balance, {}, local.friction, {}, {}}, local.free);
        ASSERT_NE(wedge.found, Found::failed);
        ASSERT_EQ(wedge.exists, factor > 1.0);
        if (!wedge.exists) continue;
        EXPECT_LE((H * wedge.impulse).cwiseAbs().maxCoeff(), 1e-6);
        EXPECT_NEAR(wedge.power, -0.5, 1e-4);  // d along the chord, half of it on each contact: q . d = -1/2 (the wall's speed)
      }
    }
  }
}

// A table on n legs in a ring, weight 1 in the middle, sticking: 3 n forces, 6 balances. Friction has no resultant and no moment
// about the middle, so that the bounds are those without it: two opposite legs, or one leg and the two across, carry all.
TEST(Confinement, tables_with_friction_have_known_bounds) {
  for (int legs = 3; legs <= 12; ++legs) {
    SCOPED_TRACE(legs);
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(6, 3 * legs);
    for (int a = 0; a < legs; ++a) {
      const double angle = 2.0 * M_PI * a / legs;
      const Eigen::Vector3d arm(std::cos(angle), std::sin(angle), -0.7), axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
      for (int k = 0; k < 3; ++k) H.col(3 * a + k) << axes[k], arm.cross(axes[k]);
    }
    const Eigen::MatrixXd W = H.transpose() * H;
    Eigen::VectorXd fall(6);
    fall << 0, 0, -1, 0, 0, 0;
    const LocalProblem local{block_matrix(Eigen::SparseMatrix<double, Eigen::RowMajor>(W.sparseView()), 3), H.transpose() * fall,
                             std::vector<double>(legs, 0.4)};
    const LocalResult r = solve_automatic(local, {});
    ASSERT_TRUE(r.converged);
    const ForceSet set = force_set(local, H.sparseView(), r.impulse, r.velocity, 1e-6);
    EXPECT_EQ(set.dimension, 3 * legs - 6);
    const NormalRange range = normal_ranges(set.problem, r.impulse, {1})[0];
    const double across = std::cos(M_PI / legs);
    EXPECT_NEAR(range.most, legs % 2 == 0 ? 0.5 : across / (1.0 + across), 1e-6);
    EXPECT_NEAR(range.least, legs == 3 ? 1.0 / 3.0 : 0.0, 1e-6);
  }
}

// One contact whose normal reaction shrinks with friction (Painleve): open, stuck and sliding are all solutions.
TEST(Isolated, painleves_three_solutions) {
  Eigen::Matrix2d W;
  W << 1, 1, 1, 2;
  const LocalProblem plane{
      block_matrix(Eigen::SparseMatrix<double, Eigen::RowMajor>(W.sparseView()), 2), Eigen::Vector2d(0.1, 1.0), {2.0}};
  const IsolatedSolutions in_plane = isolated_solutions(plane, Stopwatch());
  EXPECT_TRUE(in_plane.complete);
  ASSERT_EQ(in_plane.all.size(), 3u);
  const Eigen::Vector2d expected[3] = {{0, 0}, {0.8, -0.9}, {0.1, -0.2}};  // by hand
  const char modes[3] = {'o', 'k', 's'};
  for (int k = 0; k < 3; ++k) {
    EXPECT_LE((in_plane.all[k].impulse - expected[k]).norm(), 1e-12) << k;
    EXPECT_EQ(in_plane.all[k].modes[0], modes[k]);
  }
  Eigen::Matrix3d in_space_W;
  in_space_W << 1, 1, 0, 1, 2, 0, 0, 0, 2;
  const LocalProblem space{block_matrix(Eigen::SparseMatrix<double, Eigen::RowMajor>(in_space_W.sparseView()), 3),
                           Eigen::Vector3d(0.1, 1.0, 0.0),
                           {2.0}};
  const IsolatedSolutions in_space = isolated_solutions(space, Stopwatch());
  EXPECT_TRUE(in_space.searched);
  EXPECT_FALSE(in_space.complete);  // a search
  for (const Eigen::Vector2d& e : expected)
    EXPECT_TRUE(std::ranges::any_of(in_space.all, [&](const IsolatedSolution& s) {
      return (s.impulse - Eigen::Vector3d(e[0], e[1], 0.0)).norm() < 1e-8;
    })) << e.transpose();
}

TEST(Isolated, agree_with_trying_all_modes_independently) {
  RandomStream random(12);
  int several = 0;
  for (int n = 0; n < 200; ++n) {
    const int contacts = 1 + n % 3;
    Eigen::MatrixXd B(2 * contacts, 2 * contacts);
    for (int i = 0; i < B.size(); ++i) B(i) = random.uniform(-1, 1);
    DenseProblem dense{2, B * B.transpose() + 0.01 * Eigen::MatrixXd::Identity(2 * contacts, 2 * contacts), {}, {}};
    dense.free.resize(2 * contacts);
    for (int i = 0; i < 2 * contacts; ++i) dense.free[i] = random.uniform(-1, 1);
    for (int a = 0; a < contacts; ++a) dense.friction.push_back(random.uniform(0, 4));
    const auto all = oracle::enumerate_solutions(dense);
    const IsolatedSolutions found = isolated_solutions(local_problem(dense), Stopwatch());
    ASSERT_TRUE(found.complete) << n;
    ASSERT_EQ(found.all.size(), all.size()) << n;
    several += all.size() > 1;
  }
  EXPECT_GE(several, 5);
}

TEST(Confinement, problems_without_solution_are_never_said_to_have_one) {
  const std::vector<oracle::Infeasible> problems = oracle::infeasible_problems();
  for (std::size_t n = 0; n < problems.size(); n += 4) {
    SCOPED_TRACE(testing::Message() << n << ' ' << problems[n].kind);
    const LocalProblem local = local_problem(problems[n].problem);
    const Confinement c = examine(local, problems[n].balance.sparseView(), false);
    ASSERT_NE(c.existence, Existence::solution);
    ASSERT_TRUE(c.isolated.all.empty());
    ASSERT_EQ(c.squeezed, problems[n].squeeze.size() > 0);
    if (c.squeezed || local.dimension() == 2) {
      ASSERT_EQ(c.existence, Existence::none);
    }
    ASSERT_TRUE(c.wedge.exists);
  }
}

TEST(Confinement, without_time_nothing_is_claimed) {
  const Given g = corner(1.5, 1.5, 1.0, 1.0);
  const Confinement c = examine(g.local, g.balance, false, Stopwatch(-1.0));
  EXPECT_EQ(c.existence, Existence::unknown);
  EXPECT_EQ(c.wedge.found, Found::failed);
  EXPECT_FALSE(c.wedge.exists);
}

// Numbers beyond all measure make CLP fail its own assertions: they are not handed over.
TEST(Confinement, numbers_beyond_all_measure_are_not_examined) {
  Given g = corner(1.5, 1.5, 1.0, 1.0);
  g.balance.coeffRef(0, 0) = -1e308;
  EXPECT_EQ(find_wedge({2, g.balance, {}, g.local.friction, {}, {}}, g.local.free).found, Found::failed);
}

}  // namespace
}  // namespace moreau
