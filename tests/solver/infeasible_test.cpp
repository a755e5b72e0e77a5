// No solver calls a problem solved that has no solution; squeezes are found and proven.
#include <gtest/gtest.h>

#include <algorithm>

#include "moreau/solver/given/local_solver.hpp"
#include "oracle/enumeration.hpp"
#include "oracle/infeasible_problems.hpp"
#include "solver/local_problems.hpp"

namespace moreau {
namespace {

const std::vector<oracle::Infeasible>& problems() {
  static const std::vector<oracle::Infeasible> all = oracle::infeasible_problems();
  return all;
}

TEST(Infeasible, each_problem_comes_with_its_proof) {
  ASSERT_GE(problems().size(), 1000u);
  int enumerated = 0;
  for (std::size_t n = 0; n < problems().size(); ++n) {
    const oracle::Infeasible& p = problems()[n];
    const int D = p.problem.dimension;
    if (p.squeeze.size() > 0) {
      ASSERT_GE(p.squeeze.minCoeff(), 0.0) << n;
      for (int k = 0; k < p.squeeze.size(); ++k)
        if (k % D != 0) {
          ASSERT_EQ(p.squeeze[k], 0.0) << n;
        }
      ASSERT_LE((p.balance * p.squeeze).cwiseAbs().maxCoeff(), 1e-14) << n;
      ASSERT_LE(p.problem.free.dot(p.squeeze), -1e-3 * p.problem.free.cwiseAbs().maxCoeff()) << n << ' ' << p.kind;
    }
    if (D == 2 && p.problem.contacts() <= 3) {  // by trying all modes
      ASSERT_TRUE(oracle::enumerate_solutions(p.problem).empty()) << n << ' ' << p.kind;
      ++enumerated;
    }
  }
  EXPECT_GE(enumerated, 400);
}

class NoFalseClaim : public testing::TestWithParam<NamedSolver> {};

TEST_P(NoFalseClaim, of_a_thousand_problems_without_solution_none_is_solved) {
  int found = 0;
  for (std::size_t n = 0; n < problems().size(); ++n) {
    const oracle::Infeasible& p = problems()[n];
    const bool longer = n % 50 == 0;  // impulses need time to grow until nothing but rounding is left
    const Stopwatch watch;
    const LocalResult r =
        GetParam().solve(local_problem(p.problem), {.max_time = longer ? 0.2 : 0.05, .max_iterations = longer ? 100000 : 300});
    ASSERT_LT(watch.seconds(), 2.0) << n;
    ASSERT_FALSE(r.converged) << n << ' ' << p.kind << ' ' << r.certificate.error << ' ' << r.certificate.relative_violation();
    if (r.squeeze) {
      ASSERT_GT(p.squeeze.size(), 0) << n << ' ' << p.kind;
      ++found;
    }
  }
  if (std::string(GetParam().name) == "auto") {
    EXPECT_GE(found, 800);
  }
}

INSTANTIATE_TEST_SUITE_P(Local, NoFalseClaim, testing::ValuesIn(local_solvers()), [](const auto& given) {
  std::string name = given.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(Squeeze, is_found_where_there_is_one) {
  for (std::size_t n = 0; n < problems().size(); ++n) {
    const oracle::Infeasible& p = problems()[n];
    const LocalProblem local = local_problem(p.problem);
    const auto squeeze = find_squeeze(local, Stopwatch());
    ASSERT_EQ(squeeze.has_value(), p.squeeze.size() > 0) << n << ' ' << p.kind;
    if (!squeeze) continue;
    ASSERT_LT(squeeze->power, 0.0);
    Eigen::VectorXd d = Eigen::VectorXd::Zero(p.problem.free.size());
    for (const int a : squeeze->contacts) d[p.problem.dimension * a] = squeeze->normal[a];
    // What the proof rests on: d . W r is nothing beside q . d for impulses below 1e8 times what the given velocities need. (H d
    // is smaller than the root of this only: d . W d = |M^-1/2 H d|^2.)
    const double need = p.problem.free.cwiseAbs().maxCoeff() / p.problem.delassus.diagonal().maxCoeff();
    ASSERT_LE((p.problem.delassus * d).cwiseAbs().maxCoeff() * 1e8 * need, -squeeze->power) << n << ' ' << p.kind;
    ASSERT_NEAR(p.problem.free.dot(d), squeeze->power, 1e-12);
  }
}

TEST(Squeeze, is_not_found_where_there_is_a_solution) {
  RandomStream random(1604);
  for (int n = 0; n < 200; ++n) {
    const LocalProblem local = local_problem(coupled_contacts(random, 2 + n % 2, 1 + n % 9, 0.8));
    ASSERT_FALSE(find_squeeze(local, Stopwatch()).has_value()) << n;
  }
  for (const double tilt : {0.0, 0.3}) ASSERT_FALSE(find_squeeze(local_problem(wall(5, 4, 0.5, tilt)), Stopwatch()).has_value());
}

// A ball pressed between walls at rest: impulses as large as one likes obey the law; what rounding does to the velocities then is
// counted, and beyond some size nothing is called solved.
TEST(LocalCertificate, large_impulses_hide_nothing) {
  oracle::BallSystem<2> system;
  system.add_ball(1.0, 0.5, {0.3, -1.0});
  system.add_contact(0, {0, 1}, 0.5);
  system.add_contact(0, {0, -1}, 0.5, -1, 0.7);  // this wall comes
  const LocalProblem p = local_problem(system.problem());
  for (double size = 1.0; size < 1e20; size *= 10.0) {
    const Eigen::Vector4d impulse(size + 1.0, 0.0, size, 0.0);
    const LocalCertificate c = certify(p, impulse, p.velocity(impulse));
    EXPECT_FALSE(c.reached(1e-8)) << size;
    EXPECT_FALSE(c.reached(1e-2)) << size;
    EXPECT_GE(c.relative_violation(), 0.1) << size;
  }
}

}  // namespace
}  // namespace moreau
