// Is a triangular heap of discs a possible equilibrium? The one-step test (Moreau 2004, sec. 6.2) against a linear program over
// all contact forces in their friction cones.
//
//        o
//       o o
//      o o o
//    ---------
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "moreau/dynamics/equilibrium.hpp"
#include "oracle/enumeration.hpp"
#include "oracle/rigid_system.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

Sample<2> pyramid(int base, double mu) {
  Sample<2> s(1e-3, {mu, 0, 0});
  s.floor();
  for (int row = 0; row < base; ++row)
    for (int i = 0; i < base - row; ++i) s.ball(at<2>(i + 0.5 * row, 0.5 + row * std::sqrt(0.75)), 0.5);
  return s;
}

EquilibriumReport<2> one_step(int base, double mu) {
  const auto s = pyramid(base, mu);
  return test_equilibrium<2>(s.model, s.start().state());
}

// Forces that hold every disc: all contacts stick, the impulses cancel what gravity gives in one step.
bool forces_exist(int base, double mu) {
  const auto s = pyramid(base, mu);
  oracle::RigidSystem system;
  const auto& x = s.bodies.state.position;
  for (std::size_t i = 0; i < x.size(); ++i) system.add_body(1.0, 0.125);
  Eigen::VectorXd free = Eigen::VectorXd::Zero(3 * static_cast<int>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int a = static_cast<int>(i);
    free[3 * a + 1] = -1.0;
    if (x[i][1] < 0.6) system.add_contact(a, {0, -0.5}, {0, 1}, {mu, 0, 0});
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      const Vec<2> apart = x[i] - x[j];
      const Eigen::Vector2d n(apart[0], apart[1]);
      if (n.norm() < 1 + 1e-9) system.add_contact(a, -0.5 * n, n, {mu, 0, 0}, static_cast<int>(j), 0.5 * n);
    }
  }
  oracle::ModeSystem forces = oracle::mode_system(system.problem(Eigen::VectorXd::Zero(free.size()), free),
                                                  std::vector<oracle::Mode>(system.law.size(), oracle::Mode::stick));
  Eigen::VectorXd point;
  return oracle::feasible_point(forces, 1e-9, point);
}

double critical_friction(int base) {
  double low = 0.0, high = 4.0;
  while (high - low > 1e-6) (forces_exist(base, 0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
  return high;
}

TEST(Pyramid, three_discs_need_friction_tan_15) { EXPECT_NEAR(critical_friction(2), std::tan(M_PI / 12), 1e-5); }

TEST(Pyramid, one_step_never_calls_impossible_forces_possible_and_finds_them_where_friction_is_ample) {
  for (const int base : {2, 3, 4, 5}) {
    const double critical = critical_friction(base);
    double found = 0.0;  // least friction with which the step from scratch ends at rest
    for (const double factor : {0.5, 0.9, 0.99, 1.01, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0}) {
      const bool possible = one_step(base, factor * critical).possible;
      EXPECT_FALSE(possible && factor < 1) << base << ' ' << factor;
      if (possible && found == 0.0) found = factor;
      if (factor >= 8.0) {
        EXPECT_TRUE(possible) << base << ' ' << factor << ' ' << critical;
      }
    }
    RecordProperty("critical_" + std::to_string(base), std::to_string(critical));
    RecordProperty("found_" + std::to_string(base), std::to_string(found));
  }
}

}  // namespace
}  // namespace moreau
