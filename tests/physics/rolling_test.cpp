// Resistance to rolling and pivoting: couples up to mu R N.
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
Simulation<D> ball_on_slope(double slope, double rolling, double friction = 0.8) {
  Sample<D> s(1e-3, {.friction = friction, .rolling = rolling}, g * at<D>(std::sin(slope), -std::cos(slope)));
  s.floor().ball(at<D>(0, 0.5), 0.5);
  return s.start();
}

// Rests iff tan <= mu_r; else rolls with a = g (sin - mu_r cos) / (1 + I / m r^2).
template <int D>
void incline() {
  const double mu = 0.1;
  for (const double tangent : {0.05, 0.0999, 0.1001, 0.3}) {
    const double slope = std::atan(tangent);
    auto simulation = ball_on_slope<D>(slope, mu);
    for (int n = 0; n < 100; ++n) ASSERT_TRUE(simulation.step().certificate.converged);
    const double a = std::max(0.0, g * (std::sin(slope) - mu * std::cos(slope)) / (1.0 + inertia_factor<D>));
    EXPECT_NEAR(simulation.state().bodies.state.velocity[0][0], 0.1 * a, 1e-10) << tangent;
    EXPECT_NEAR(forward_rate<D>(simulation.state().bodies.state.spin[0]), 0.1 * a / 0.5, 1e-9) << tangent;
    EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-12);
  }
}
TEST(Rolling, disc_rolls_if_the_slope_exceeds_rolling_friction) { incline<2>(); }
TEST(Rolling, ball_rolls_if_the_slope_exceeds_rolling_friction) { incline<3>(); }

// With little sliding friction the couple holds the spin and the ball slides without turning.
TEST(Rolling, ball_slides_without_turning_if_it_rolls_harder_than_it_slides) {
  const double slope = std::atan(0.3);
  auto simulation = ball_on_slope<3>(slope, 0.5, 0.2);
  for (int n = 0; n < 100; ++n) ASSERT_TRUE(simulation.step().certificate.converged);
  EXPECT_NEAR(simulation.state().bodies.state.velocity[0][0], 0.1 * g * (std::sin(slope) - 0.2 * std::cos(slope)), 1e-10);
  EXPECT_LE(norm(simulation.state().bodies.state.spin[0]), 1e-10);
}

// On a fixed ball of the same size R is r/2: a ball at the angle theta from the top rests iff tan theta <= mu_r / 2.
TEST(Rolling, reduced_radius_of_two_balls_is_half_of_theirs) {
  for (const double factor : {0.99, 1.01}) {
    const double mu = 0.2, angle = std::atan(factor * mu / 2.0);
    Sample<3> s(1e-3, {.friction = 0.8, .rolling = mu});
    s.model.contact_distance = 1e-9;
    s.obstacle({}, 0.5).ball(at<3>(std::sin(angle), std::cos(angle)), 0.5);
    auto simulation = s.start();
    const StepReport report = simulation.step();
    ASSERT_EQ(report.contacts, 1u);
    if (factor < 1.0)
      EXPECT_LE(report.max_speed, 1e-12);
    else
      EXPECT_GT(report.max_speed, 1e-3 * 1e-3 * g * mu / 2);
  }
}

// A ball spinning about the vertical: I dw/dt = -mu_p r m g, to rest.
TEST(Rolling, pivoting_friction_stops_a_spinning_ball_after_a_known_time) {
  Sample<3> s(1e-3, {.friction = 0.5, .pivoting = 0.05});
  s.floor().ball(at<3>(0, 0.5), 0.5, {}, {{0, 0, 3.0}});
  auto simulation = s.start();
  const double rate = 0.05 * 0.5 * g / (0.4 * 0.25);
  for (int n = 1; n <= 1500; ++n) {
    simulation.step();
    if (n % 100 == 0) {
      ASSERT_NEAR(simulation.state().bodies.state.spin[0][2], std::max(0.0, 3.0 - rate * 1e-3 * n), 1e-9) << n;
    }
  }
  EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-11);
}

// Balls in a corner, poured: the ledger closes, resumed runs agree, and resistance leaves them at rest sooner than without.
TEST(Rolling, heap_keeps_its_ledger_and_its_state) {
  Sample<3> s(1e-3, {.friction = 0.5, .rolling = 0.1, .pivoting = 0.1});
  RandomStream random(5);
  s.floor().sides(3.0);
  fill_lattice<3>(s, random, 18, 3, 1.0, 0.7, 0.95, 0.0, 0.3);
  s.model.solver = {.tolerance = 1e-6, .unbalanced_tolerance = 1e-3, .max_sweeps = 5000};
  auto whole = s.start();
  for (int n = 0; n < 300; ++n) whole.step();
  Simulation<3> resumed(s.model, whole.state());
  for (int n = 0; n < 200; ++n) {
    const StepReport report = whole.step();
    resumed.step();
    ASSERT_TRUE(report.certificate.converged);
    ASSERT_NEAR(report.energy.error(), 0.0, 1e-9);
  }
  EXPECT_EQ(state_hash(whole.state()), state_hash(resumed.state()));
  const auto& table = whole.state().contacts;
  ASSERT_GT(table.size(), 18u);
  for (std::size_t i = 0; i < table.size(); ++i) {  // couples within their bounds
    const auto& r = whole.state().bodies.parameters.radius;
    const double ra = r[static_cast<std::size_t>(table.a[i])];
    const double R = is_wall(table.b[i]) ? ra : 1.0 / (1.0 / ra + 1.0 / r[static_cast<std::size_t>(table.b[i])]);
    const double pressure = dot(table.impulse[i], table.normal[i]), along = dot(table.couple[i], table.normal[i]);
    EXPECT_LE(std::abs(along), 0.1 * R * pressure * (1 + 1e-9) + 1e-15);
    EXPECT_LE(norm(table.couple[i] - along * table.normal[i]), 0.1 * R * pressure * (1 + 1e-9) + 1e-15);
  }
}

}  // namespace
}  // namespace moreau
