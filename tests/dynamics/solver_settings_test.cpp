// What the settings of the solver may change, and what they may not.
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

// A layer of grains dropped on a floor: the state just before a step with many contacts.
template <int D>
Sample<D> heap(PairLaw law) {
  RandomStream random(6);
  Sample<D> s(5e-4, law);
  s.model.solver = {};
  const int across = D == 2 ? 10 : 4;
  s.sides(across * 1e-2).floor();
  fill_lattice<D>(s, random, 80, across, 1e-2, 0.7, 0.99, 0.0, 0.1);
  auto simulation = s.start();
  for (int n = 0; n < 600; ++n) simulation.step();
  s.bodies = simulation.state().bodies;  // without the impulses: a cold start
  return s;
}

template <int D>
void relaxation_keeps_the_solution() {
  auto s = heap<D>({0.0, 0.0, 0.0});  // without friction the velocities are unique
  s.model.solver = {.tolerance = 1e-12, .unbalanced_tolerance = 1e-9, .max_sweeps = 200000, .finish = false};  // sweeps alone
  std::vector<Vec<D>> reference;
  int plain = 0, over = 0, with_momentum = 0;
  for (const auto& [relaxation, momentum] :
       {std::pair{1.0, false}, {0.7, false}, {1.3, false}, {1.6, false}, {1.0, true}, {1.3, true}}) {
    s.model.solver.relaxation = relaxation, s.model.solver.extrapolation = momentum;
    auto simulation = s.start();
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.certificate.converged) << relaxation;
    EXPECT_GT(report.contacts, 80u);
    const auto& v = simulation.state().bodies.state.velocity;
    if (reference.empty()) reference = v, plain = report.certificate.sweeps;
    if (relaxation == 1.0 && momentum) with_momentum = report.certificate.sweeps;
    if (relaxation == 1.6) over = report.certificate.sweeps;
    for (std::size_t i = 0; i < v.size(); ++i) ASSERT_LE(norm(v[i] - reference[i]), 1e-8 * g * s.model.time_step) << relaxation;
  }
  EXPECT_LT(over, plain);
  EXPECT_LT(2 * with_momentum, plain);
}
TEST(SolverSettings, over_relaxation_and_momentum_change_the_sweeps_but_not_the_motion_of_discs) {
  relaxation_keeps_the_solution<2>();
}
TEST(SolverSettings, over_relaxation_and_momentum_change_the_sweeps_but_not_the_motion_of_balls) {
  relaxation_keeps_the_solution<3>();
}

TEST(SolverSettings, sweep_limit_is_reported) {
  auto s = heap<2>({0.5, 0.0, 0.0});
  for (const int limit : {1, 2, 3, 7}) {
    s.model.solver.tolerance = 1e-9, s.model.solver.max_sweeps = limit;
    const Certificate c = s.start().step().certificate;
    EXPECT_FALSE(c.converged);
    EXPECT_FALSE(c.unbounded);
    EXPECT_EQ(c.sweeps, limit);
    EXPECT_GT(c.relative_residual(), 1e-9);
    EXPECT_GE(c.residual_max, c.residual_rms);
  }
}

// What a tolerance is worth is the error of the velocities that it leaves. Without friction they are unique, and known from a
// solution to rounding.
TEST(SolverSettings, velocities_are_wrong_by_no_more_than_the_tolerance_asks) {
  auto s = heap<3>({0.0, 0.0, 0.0});
  s.model.solver = {.tolerance = 1e-13, .unbalanced_tolerance = 1e-11, .max_sweeps = 1000000};
  auto exact = s.start();
  ASSERT_TRUE(exact.step().certificate.converged);
  const auto& truth = exact.state().bodies;
  for (const double tolerance : {1e-1, 1e-3, 1e-6, 1e-9}) {
    s.model.solver.tolerance = tolerance, s.model.solver.unbalanced_tolerance = tolerance;
    auto simulation = s.start();
    const Certificate c = simulation.step().certificate;
    EXPECT_TRUE(c.converged);
    double squares = 0.0, mass = 0.0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const Vec<3> error = simulation.state().bodies.state.velocity[i] - truth.state.velocity[i];
      squares += truth.parameters.mass[i] * dot(error, error), mass += truth.parameters.mass[i];
    }
    EXPECT_LE(std::sqrt(squares / mass), tolerance * c.velocity_scale) << tolerance;
  }
}

// After thousands of sweeps the velocities are still u_free + A^-1 G^T P.
template <int D>
void velocities_are_those_of_the_impulses() {
  auto s = heap<D>({0.5, 0.3, 0.2});
  s.model.solver.tolerance = 1e-30, s.model.solver.max_sweeps = 5037;
  auto simulation = s.start();
  const StepReport report = simulation.step();
  EXPECT_EQ(report.certificate.sweeps, 5037);
  auto u = s.bodies.state;
  for (auto& v : u.velocity) v += s.model.time_step * s.model.gravity;
  const auto& p = s.bodies.parameters;
  const auto& table = simulation.state().contacts;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::size_t a = static_cast<std::size_t>(table.a[i]);
    u.velocity[a] += (1.0 / p.mass[a]) * table.impulse[i];
    u.spin[a] -= (p.radius[a] / p.inertia[a]) * moment(table.normal[i], table.impulse[i]);
    if (is_wall(table.b[i])) continue;
    const std::size_t b = static_cast<std::size_t>(table.b[i]);
    u.velocity[b] -= (1.0 / p.mass[b]) * table.impulse[i];
    u.spin[b] -= (p.radius[b] / p.inertia[b]) * moment(table.normal[i], table.impulse[i]);
  }
  const auto& reached = simulation.state().bodies.state;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    ASSERT_LE(norm(reached.velocity[i] - u.velocity[i]), 1e-15);
    ASSERT_LE(p.radius[i] * norm(reached.spin[i] - u.spin[i]), 1e-15);
  }
}
TEST(SolverSettings, many_sweeps_do_not_separate_velocities_of_discs_from_impulses) { velocities_are_those_of_the_impulses<2>(); }
TEST(SolverSettings, many_sweeps_do_not_separate_velocities_of_balls_from_impulses) { velocities_are_those_of_the_impulses<3>(); }

// More contacts on one body than there are colours: a big ball on a bed of small ones.
TEST(SolverSettings, body_with_hundreds_of_contacts_is_carried) {
  Sample<2> s(1e-3, {});
  const int count = 200;
  for (int i = 0; i < count; ++i) {
    const double angle = M_PI * (1.2 + 0.6 * i / (count - 1));
    s.obstacle(10.01 * at<2>(std::cos(angle), std::sin(angle)), 0.01);
  }
  s.ball({}, 10.0 + 1e-9, {}, {}, 5.0);
  auto simulation = s.start();
  const StepReport report = simulation.step();
  EXPECT_EQ(report.contacts, static_cast<std::size_t>(count));
  EXPECT_TRUE(report.certificate.converged);
  Vec<2> carried{};
  for (const auto& p : simulation.state().contacts.impulse) carried += p;
  EXPECT_NEAR(carried[1], 5.0 * g * 1e-3, 1e-9);
  EXPECT_NEAR(carried[0], 0.0, 1e-9);
}

}  // namespace
}  // namespace moreau
