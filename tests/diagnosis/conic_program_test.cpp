// Conic programs whose answer is known in closed form; those without answer, of each kind.
#include "moreau/diagnosis/conic_program.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "moreau/base/random.hpp"

namespace moreau::diagnosis {
namespace {

ConicProblem conic(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& c, std::vector<int> cones) {
  return {A.sparseView(), b, c, std::move(cones)};
}

// min c_1 . x_1 over |x_1| <= x_0 = 1 is -|c_1|.
TEST(ConicProgram, linear_function_on_a_disc) {
  RandomStream random(5);
  for (int n = 0; n < 50; ++n) {
    Eigen::MatrixXd A(1, 3);
    A << 1, 0, 0;
    const Eigen::Vector3d c(0.0, random.uniform(-1, 1), random.uniform(-1, 1));
    const ConicOptimum o = solve_conic(conic(A, Eigen::VectorXd::Ones(1), c, {3}), Stopwatch());
    ASSERT_EQ(o.found, Found::optimum) << n;
    EXPECT_NEAR(o.value, -c.norm(), 1e-8);
    EXPECT_LE(o.bound, -c.norm() + 1e-8);
  }
}

TEST(ConicProgram, tells_nothing_from_unbounded) {
  Eigen::MatrixXd A(1, 3);
  A << 1, 2, 0;  // x_0 + 2 x_1 = -1 is met, with x_1 = -1, say; x_0 + x_1 / 2 = -1 is not
  const Eigen::VectorXd b = -Eigen::VectorXd::Ones(1);
  EXPECT_EQ(solve_conic(conic(A, b, Eigen::Vector3d(1, 0, 0), {3}), Stopwatch()).found, Found::optimum);
  EXPECT_EQ(solve_conic(conic(A, b, Eigen::Vector3d(-1, 0, 0), {3}), Stopwatch()).found, Found::unbounded);
  A << 1, 0.5, 0;
  EXPECT_EQ(solve_conic(conic(A, b, Eigen::Vector3d(1, 0, 0), {3}), Stopwatch()).found, Found::nothing);
}

TEST(ConicProgram, rows_may_repeat_and_must_not_contradict) {
  Eigen::MatrixXd A(2, 3);
  A << 1, 0, 0, 2, 0, 0;
  const Eigen::Vector3d c(0, 1, 0);
  EXPECT_NEAR(solve_conic(conic(A, Eigen::Vector2d(1, 2), c, {3}), Stopwatch()).value, -1.0, 1e-8);
  EXPECT_EQ(solve_conic(conic(A, Eigen::Vector2d(1, 3), c, {3}), Stopwatch()).found, Found::nothing);
}

// Random programs made with their optimum: x and z on the border of each cone, orthogonal; b = A x, c = A^T y + z.
TEST(ConicProgram, finds_optima_made_beforehand) {
  RandomStream random(6);
  for (int n = 0; n < 100; ++n) {
    const int cones = 1 + n % 12, rows = 1 + n % 7;
    Eigen::VectorXd x(3 * cones), z(3 * cones), y(rows), c;
    Eigen::MatrixXd A(rows, 3 * cones);
    for (int i = 0; i < rows; ++i) {
      y[i] = random.uniform(-1, 1);
      for (int j = 0; j < 3 * cones; ++j) A(i, j) = random.uniform(-1, 1);
    }
    for (int k = 0; k < cones; ++k) {
      const double angle = random.uniform(0, 6.28), s = random.uniform(0, 2), t = random.uniform(0, 2);
      x.segment<3>(3 * k) = s * Eigen::Vector3d(1, std::cos(angle), std::sin(angle));
      z.segment<3>(3 * k) = t * Eigen::Vector3d(1, -std::cos(angle), -std::sin(angle));
    }
    c = A.transpose() * y + z;
    const ConicOptimum o = solve_conic(conic(A, A * x, c, std::vector<int>(cones, 3)), Stopwatch());
    ASSERT_EQ(o.found, Found::optimum) << n;
    EXPECT_NEAR(o.value, c.dot(x), 1e-7 * (1.0 + std::abs(c.dot(x)))) << n;
  }
}

TEST(ConicProgram, without_time_there_is_no_answer) {
  Eigen::MatrixXd A(1, 3);
  A << 1, 0, 0;
  EXPECT_EQ(solve_conic(conic(A, Eigen::VectorXd::Ones(1), Eigen::Vector3d(0, 1, 1), {3}), Stopwatch(-1.0)).found, Found::failed);
}

}  // namespace
}  // namespace moreau::diagnosis
