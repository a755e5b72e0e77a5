// A row of equal balls struck at one end: formal velocities share the blow, gaps let it travel.
//
//    o -> ooo...o
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
Sample<D> row(int n, int strikers, double rho, double gap, double h) {
  Sample<D> s(h, {0.0, rho, 0.0}, {});
  for (int i = 0; i < n; ++i) {
    const double speed = i < strikers ? 1.0 : 0.0;
    s.ball(at<D>(i * (1.0 + gap) - 0.5 * h * speed * (gap == 0.0), 0), 0.5, at<D>(speed, 0));
  }
  return s;
}

template <int D>
std::vector<double> strike(int n, int strikers, double rho) {
  auto simulation = row<D>(n, strikers, rho, 0.0, 1.0 / 1024).start();
  const StepReport report = simulation.step();
  EXPECT_EQ(report.contacts, static_cast<std::size_t>(n - 1));
  EXPECT_TRUE(report.certificate.converged);
  if (rho == 1.0) {
    EXPECT_NEAR(report.energy.kinetic, 0.5 * strikers, 1e-11);
  }
  std::vector<double> v;
  for (const auto& u : simulation.state().bodies.state.velocity) v.push_back(u[0]);
  return v;
}

template <int D>
void shared_blow() {
  for (const int n : {2, 3, 5, 8})
    for (const double rho : {0.0, 0.5, 1.0}) {
      const auto v = strike<D>(n, 1, rho);
      EXPECT_NEAR(v[0], 1 - (1 + rho) * (n - 1) / n, 1e-11) << n << ' ' << rho;
      for (int i = 1; i < n; ++i) EXPECT_NEAR(v[static_cast<std::size_t>(i)], (1 + rho) / n, 1e-11) << n << ' ' << rho;
    }
  const auto two = strike<D>(5, 2, 1.0);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(two[i], i < 2 ? -0.2 : 0.8, 1e-11);
}
TEST(BallRow, touching_discs_share_the_blow_of_a_striker) { shared_blow<2>(); }
TEST(BallRow, touching_balls_share_the_blow_of_a_striker) { shared_blow<3>(); }

TEST(BallRow, impulses_decrease_along_the_row) {
  auto simulation = row<2>(3, 1, 1.0, 0.0, 1.0 / 1024).start();
  simulation.step();
  EXPECT_NEAR(norm(simulation.state().contacts.impulse[0]), 4.0 / 3.0, 1e-12);
  EXPECT_NEAR(norm(simulation.state().contacts.impulse[1]), 2.0 / 3.0, 1e-12);
}

TEST(BallRow, with_gaps_newtons_cradle_sends_the_last_ball) {
  for (const double rho : {1.0, 0.9}) {
    const int n = 5;
    auto simulation = row<3>(n, 1, rho, 0.01, 1e-3).start();
    // Newton's binary collisions from left to right, until nothing approaches any more; late soft ones may come in another order.
    std::vector<double> v(n, 0.0);
    v[0] = 1.0;
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i + 1 < v.size(); ++i)
        if (v[i] > v[i + 1] + 1e-12) {
          const double mean = 0.5 * (v[i] + v[i + 1]), half = 0.5 * rho * (v[i] - v[i + 1]);
          v[i] = mean - half, v[i + 1] = mean + half, again = true;
        }
    }
    for (int k = 0; k < 100000; ++k) simulation.step();
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(simulation.state().bodies.state.velocity[i][0], v[i], 2e-5) << rho;
    EXPECT_NEAR(simulation.state().bodies.state.velocity[4][0], std::pow(0.5 * (1 + rho), n - 1), 1e-12);
  }
}

TEST(BallRow, gauss_seidel_contracts_by_cos_squared_of_pi_over_n) {
  const auto residual = [](int n, int sweeps) {
    auto s = row<2>(n, 1, 1.0, 0.0, 1.0 / 1024);
    s.model.solver.tolerance = 1e-30, s.model.solver.max_sweeps = sweeps,
    s.model.solver.extrapolation = s.model.solver.finish = false;
    return s.start().step().certificate.residual_rms;
  };
  for (const int n : {5, 10})
    EXPECT_NEAR(residual(n, n * n + 1) / residual(n, n * n), std::pow(std::cos(M_PI / n), 2), 1e-5) << n;
}

}  // namespace
}  // namespace moreau
