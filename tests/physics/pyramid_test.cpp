// Is a triangular heap of discs a possible equilibrium? The one-step test (Moreau 2004, sec. 6.2) against a linear program over
// all contact forces in their friction cones.
//
//        o
//       o o
//      o o o
//    ---------
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "moreau/engines/equilibrium.hpp"
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

// Forces that hold every disc: all contacts stick, the impulses cancel what gravity gives in one step. They are contacts of a
// state with these impulses, in its order.
bool forces_exist(int base, double mu, ContactTable<2>* held = nullptr) {
  const auto s = pyramid(base, mu);
  oracle::RigidSystem system;
  std::vector<std::int32_t> first, second;
  const auto add = [&](int a, Eigen::Vector2d n, int b) {
    system.add_contact(a, -0.5 * n, n, {mu, 0, 0}, b, 0.5 * n);
    first.push_back(a), second.push_back(b < 0 ? ~0 : b);
  };
  const auto& x = s.bodies.state.position;
  for (std::size_t i = 0; i < x.size(); ++i) system.add_body(1.0, 0.125);
  Eigen::VectorXd free = Eigen::VectorXd::Zero(3 * static_cast<int>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int a = static_cast<int>(i);
    free[3 * a + 1] = -1.0;
    if (x[i][1] < 0.6) add(a, {0, 1}, -1);
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      const Vec<2> apart = x[i] - x[j];
      const Eigen::Vector2d n(apart[0], apart[1]);
      if (n.norm() < 1 + 1e-9) add(a, n, static_cast<int>(j));
    }
  }
  oracle::ModeSystem forces = oracle::mode_system(system.problem(Eigen::VectorXd::Zero(free.size()), free),
                                                  std::vector<oracle::Mode>(system.law.size(), oracle::Mode::stick));
  Eigen::VectorXd point;
  if (!oracle::feasible_point(forces, 1e-9, point)) return false;
  if (!held) return true;
  held->resize(first.size());
  held->a = first, held->b = second;
  for (std::size_t k = 0; k < first.size(); ++k) {
    const std::size_t i = static_cast<std::size_t>(first[k]);
    const Vec<2> n = second[k] < 0 ? Vec<2>{{0, 1}} : normalized(x[i] - x[static_cast<std::size_t>(second[k])]);
    const int row = 2 * static_cast<int>(k);
    held->normal[k] = n, held->gap[k] = 0.0;
    held->impulse[k] = g * s.model.time_step * (point[row] * n + point[row + 1] * Vec<2>{{n[1], -n[0]}});
  }
  return true;
}

// The one-step test with friction `mu`, from forces that hold the heap with `enough` of it.
EquilibriumReport<2> one_step_with_forces(int base, double mu, double enough) {
  auto s = pyramid(base, mu);
  s.model.solver = {};
  State<2> state = s.start().state();
  EXPECT_TRUE(forces_exist(base, enough, &state.contacts));
  state.impulse_time_step = s.model.time_step;
  return test_equilibrium<2>(s.model, state);
}

double critical_friction(int base) {
  double low = 0.0, high = 4.0;
  while (high - low > 1e-6) (forces_exist(base, 0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
  return high;
}

TEST(Pyramid, three_discs_need_friction_tan_15) { EXPECT_NEAR(critical_friction(2), std::tan(M_PI / 12), 1e-5); }

// From forces that hold the heap the step ends at rest, just above the critical friction as far from it; from them a step below
// it does not.
TEST(Pyramid, one_step_confirms_every_heap_that_known_forces_hold) {
  for (const int base : {2, 3, 4, 5, 6}) {
    const double critical = critical_friction(base);
    for (const double factor : {0.9, 0.99, 1.01, 1.1, 1.5, 2.0, 4.0, 8.0}) {
      const double enough = critical * (factor < 1.0 ? 1.01 : 0.5 * (1.0 + factor));
      const EquilibriumReport<2> report = one_step_with_forces(base, factor * critical, enough);
      EXPECT_EQ(report.possible, factor > 1.0) << base << ' ' << factor << ' ' << report.max_speed / report.velocity_scale;
      EXPECT_EQ(report.step.recalled, report.step.contacts);
    }
  }
}

// From nothing too: where sweeps end elsewhere, the other solvers find such forces.
TEST(Pyramid, one_step_finds_forces_exactly_where_there_are_some) {
  for (const int base : {2, 3, 4, 5, 6}) {
    const double critical = critical_friction(base);
    for (const double factor : {0.5, 0.9, 0.99, 1.01, 1.5, 2.0, 4.0, 8.0})
      EXPECT_EQ(one_step(base, factor * critical).possible, factor > 1.0) << base << ' ' << factor << ' ' << critical;
  }
}

}  // namespace
}  // namespace moreau
