// A ball pressed between a floor and a driven wall (Alart 2015, fig. 1), as a scene: closed forms below the
// critical friction 1, no solution above it. The dense problem is in tests/solver/alart_ball_test.cpp.
//
//        |  contact 2, wall moves left at V        m = 1
//     ( )|                                         w = g h = 1 is the velocity that weight gives in one step
//    -----  contact 1, fixed floor
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

constexpr double h = 1.0 / 1024;

// The driven wall is wall 1 and the floor wall 0, or the other way round: contacts of a body are treated last wall first.
template <int D>
Sample<D> corner(double mu, double w, double V, bool floor_first = true) {
  Sample<D> s(h, {mu, 0.0, 0.0}, at<D>(0, -w / h));
  const int push = s.motion(steady<D>(at<D>(-V, 0)));
  if (!floor_first) s.floor();
  s.wall(at<D>(0.5, 0), at<D>(-1, 0), push);
  if (floor_first) s.floor();
  s.ball(at<D>(0, 0.5), 0.5);
  s.model.solver.tolerance = 1e-14;
  return s;
}

struct Impulses {
  double N1, T1, N2, T2;
};

template <int D>
Impulses impulses(const Simulation<D>& simulation) {
  const auto& table = simulation.state().contacts;
  EXPECT_EQ(table.size(), 2u);
  const std::size_t floor = table.normal[0][D - 1] > 0.5 ? 0 : 1;
  return {table.impulse[floor][D - 1], table.impulse[floor][0], -table.impulse[1 - floor][0], table.impulse[1 - floor][D - 1]};
}

void expect_near(const Impulses& p, const Impulses& q, double tolerance) {
  EXPECT_NEAR(p.N1, q.N1, tolerance);
  EXPECT_NEAR(p.T1, q.T1, tolerance);
  EXPECT_NEAR(p.N2, q.N2, tolerance);
  EXPECT_NEAR(p.T2, q.T2, tolerance);
}

Impulses closed_form(double mu, double w, double V, double kappa, char& branch) {
  if (w <= V) {  // translation
    branch = 'A';
    const double N1 = w / (1 - mu);
    return {N1, mu * N1, V + mu * N1, -mu * N1};
  }
  if (mu * (w - V) < kappa * (1 + mu) * V) {  // slips on both
    branch = 'B';
    const double N2 = (V + mu * w) / (1 - mu * mu), N1 = w + mu * N2;
    return {N1, mu * N1, N2, -mu * N2};
  }
  branch = 'C';
  const double N2 = V * (1 + kappa) / (1 - mu);  // rolls on the floor
  return {w + mu * N2, N2 - V, N2, -mu * N2};
}

template <int D>
void three_branches() {
  RandomStream random(21);
  int seen[3] = {};
  for (int n = 0; n < 1000; ++n) {
    const double mu = random.uniform(0.01, 0.95), w = random.uniform(0.01, 2), V = random.uniform(0.01, 2);
    auto simulation = corner<D>(mu, w, V, n % 2 == 0).start();
    const Certificate c = simulation.step().certificate;
    ASSERT_TRUE(c.converged) << n << ' ' << c.relative_residual();
    char branch = ' ';
    const Impulses exact = closed_form(mu, w, V, inertia_factor<D>, branch);
    ++seen[branch - 'A'];
    expect_near(impulses(simulation), exact, 1e-11 * (exact.N1 + exact.N2) / (1 - mu));
    if (testing::Test::HasFailure()) FAIL() << n << " branch " << branch;
  }
  for (const int count : seen) EXPECT_GT(count, 100);
}
TEST(AlartBall, disc_below_critical_friction_slides_or_rolls_as_known) { three_branches<2>(); }
TEST(AlartBall, ball_below_critical_friction_slides_or_rolls_as_known) { three_branches<3>(); }

TEST(AlartBall, impulses_diverge_as_friction_approaches_one) {
  for (const auto& [mu, N1] : {std::pair{0.5, 2.0}, {0.9, 10.0}, {0.99, 100.0}}) {
    auto simulation = corner<2>(mu, 1.0, 2.0).start();
    EXPECT_TRUE(simulation.step().certificate.converged);
    EXPECT_NEAR(impulses(simulation).N1, N1, 1e-8 * N1);
  }
}

template <int D>
void no_bounded_solution() {
  constexpr double kappa = inertia_factor<D>;
  for (const double mu : {1.2, 3.0})
    for (const bool floor_first : {true, false}) {
      const double V = 2.0, slope = V * kappa / (1 + 2 * kappa);
      Impulses after[2];
      for (const int extra : {0, 1}) {
        auto s = corner<D>(mu, 1.0, V, floor_first);
        s.model.solver.max_sweeps = 1000 + extra, s.model.solver.finish = false;
        auto simulation = s.start();
        const Certificate c = simulation.step().certificate;
        EXPECT_FALSE(c.converged);
        EXPECT_TRUE(c.unbounded) << mu;
        EXPECT_EQ(c.sweeps, 1000 + extra);
        after[extra] = impulses(simulation);
      }
      expect_near({after[1].N1 - after[0].N1, after[1].T1 - after[0].T1, after[1].N2 - after[0].N2, after[0].T2 - after[1].T2},
                  {slope, slope, slope, slope}, 1e-9);
    }
}
// With default settings too, where the finishing solver has its try.
template <int D>
void is_never_called_solved() {
  for (const double mu : {1.2, 1.7, 3.0})
    for (const double V : {0.5, 2.0, 30.0}) {
      auto s = corner<D>(mu, 1.0, V);
      s.model.solver = {};
      const Certificate c = s.start().step().certificate;
      EXPECT_FALSE(c.converged) << mu << ' ' << V;
      EXPECT_TRUE(c.unbounded) << mu << ' ' << V;
      EXPECT_GE(c.body_error, 0.1) << mu << ' ' << V;
    }
}
TEST(AlartBall, disc_above_critical_friction_is_never_called_solved) { is_never_called_solved<2>(); }
TEST(AlartBall, ball_above_critical_friction_is_never_called_solved) { is_never_called_solved<3>(); }

TEST(AlartBall, disc_above_critical_friction_has_no_bounded_impulses) { no_bounded_solution<2>(); }
TEST(AlartBall, ball_above_critical_friction_has_no_bounded_impulses) { no_bounded_solution<3>(); }

TEST(AlartBall, slow_convergence_below_critical_friction_is_not_called_unbounded) {
  auto s = corner<2>(0.999, 1.0, 2.0);
  for (const int limit : {100, 1000, 3000, 10000}) {
    s.model.solver.max_sweeps = limit;
    s.model.solver.extrapolation = s.model.solver.finish = false;  // with either it converges
    const Certificate c = s.start().step().certificate;
    EXPECT_FALSE(c.converged);
    if (limit >= 3000) {
      EXPECT_FALSE(c.unbounded) << limit;  // earlier the growth cannot be told from a linear one
    }
  }
}

TEST(AlartBall, weightless_ball_is_just_pushed) {
  for (const double mu : {0.3, 1.0, 2.0}) {
    auto s = corner<3>(mu, 0.0, 2.0);
    auto simulation = s.start();
    EXPECT_TRUE(simulation.step().certificate.converged);
    expect_near(impulses(simulation), {0, 0, 2, 0}, 1e-15);
  }
}

// History decides: the impulses of the previous step are kept if the law allows them (Moreau 2003, sec. 8).
TEST(AlartBall, at_rest_any_pinching_is_kept_above_critical_friction_and_none_below) {
  for (const double pinch : {0.0, 0.1, 1.0, 50.0})
    for (const double mu : {0.9, 1.0, 1.5}) {
      auto s = corner<2>(mu, 1.0, 0.0);
      State<2> state = s.start().state();
      state.contacts.a = {0, 0}, state.contacts.b = {~1, ~0};
      state.contacts.gap = {0.0, 0.0};
      state.contacts.normal = {{{0, 1}}, {{-1, 0}}};
      state.contacts.impulse = {{{pinch, 1 + pinch}}, {{-pinch, -pinch}}};
      Simulation<2> simulation(s.model, state);
      for (int n = 0; n < 3; ++n) {
        const StepReport report = simulation.step();
        EXPECT_TRUE(report.certificate.converged);
        EXPECT_EQ(report.recalled, 2u);
        EXPECT_LE(report.max_speed, 1e-12 * (1 + pinch)) << mu;
      }
      const double kept = mu < 1 ? 0.0 : pinch;
      expect_near(impulses(simulation), {1 + kept, kept, kept, -kept}, 1e-9 * (1 + kept));
    }
}

}  // namespace
}  // namespace moreau
