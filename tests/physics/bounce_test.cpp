// One ball on a fixed floor with restitution rho, tau and friction mu (Moreau 1994, eqs. 6.1-6.4).
//
//     stick iff (1 + tau) |U_T-| / h_T <= mu (1 + rho) |U_N-|   then U_T+ = -tau U_T-
//     else U_T+ = U_T- - mu (1 + rho) |U_N-| h_T / h_N along U_T-          h_T / h_N: 3 (disc), 7/2 (ball)
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
struct Bounce {
  Vec<D> velocity;
  Spin<D> spin;
  Vec<D> contact_velocity;
  EnergyLedger before, after;
};

// One step without gravity of a ball whose midpoint touches the floor.
template <int D>
Bounce<D> bounce(PairLaw law, Vec<D> velocity, Spin<D> spin, double radius = 1.0, double mass = 1.0) {
  const double h = 1e-3;
  auto simulation =
      Sample<D>(h, law, {}).floor().ball(at<D>(0.3, radius - 1e-12) - (0.5 * h) * velocity, radius, velocity, spin, mass).start();
  const EnergyLedger before = simulation.state().energy;
  simulation.step();
  const auto& bodies = simulation.state().bodies;
  return {bodies.state.velocity[0], bodies.state.spin[0], contact_velocity<D>(bodies, bodies.state, 0, -1, at<D>(0, 1)), before,
          simulation.state().energy};
}

TEST(Bounce, superball_spins_back_and_keeps_its_energy) {
  const auto b = bounce<3>({1, 1, 1}, at<3>(1, -1), {});
  EXPECT_NEAR(b.velocity[0], 3.0 / 7.0, 1e-15);
  EXPECT_NEAR(b.velocity[2], 1.0, 1e-15);
  EXPECT_NEAR(forward_rate<3>(b.spin), 10.0 / 7.0, 3e-15);
  EXPECT_NEAR(b.after.kinetic, b.before.kinetic, 3e-15);
  const auto d = bounce<2>({1, 1, 1}, at<2>(1, -1), {});
  EXPECT_NEAR(d.velocity[0], 1.0 / 3.0, 1e-15);
  EXPECT_NEAR(forward_rate<2>(d.spin), 4.0 / 3.0, 3e-15);
  EXPECT_NEAR(d.after.kinetic, d.before.kinetic, 3e-15);
}

TEST(Bounce, listed_slide_and_stick) {
  EXPECT_NEAR((bounce<3>({0.1, 0.8, 0.4}, at<3>(1, -1), {}).contact_velocity[0]), 0.37, 1e-15);
  const auto stick = bounce<3>({0.3, 0.5, 0}, at<3>(1, -1), {});
  EXPECT_NEAR(stick.velocity[0], 5.0 / 7.0, 1e-15);
  EXPECT_NEAR(stick.velocity[2], 0.5, 1e-15);
  EXPECT_NEAR(stick.contact_velocity[0], 0.0, 1e-15);
}

TEST(Bounce, backspin_returns_a_ball_thrown_forward) {
  const auto b = bounce<3>({1, 0.8, 0.8}, at<3>(0.5, -2), forward_spin<3>(-3));
  EXPECT_LT(b.velocity[0], -0.5);
  EXPECT_NEAR(b.contact_velocity[0], -0.8 * 3.5, 1e-14);
}

template <int D>
void friction_threshold() {
  const double rho = 0.4, tau = 0.3, slip = 1.5, fall = 0.8;
  const double critical = (1 + tau) * slip / (tangent_factor<D> * (1 + rho) * fall);
  EXPECT_NEAR((bounce<D>({critical * (1 + 1e-9), rho, tau}, at<D>(slip, -fall), {}).contact_velocity[0]), -tau * slip, 1e-14);
  const double slides = bounce<D>({critical * (1 - 1e-3), rho, tau}, at<D>(slip, -fall), {}).contact_velocity[0];
  EXPECT_NEAR(slides, -tau * slip + 1e-3 * (1 + tau) * slip, 1e-14);
}
TEST(Bounce, disc_sticks_from_a_third_of_the_slip_on) { friction_threshold<2>(); }
TEST(Bounce, ball_sticks_from_two_sevenths_of_the_slip_on) { friction_threshold<3>(); }

template <int D>
void three_parameter_law() {
  RandomStream random(31);
  int stuck = 0;
  for (int n = 0; n < 5000; ++n) {
    const PairLaw law{random.uniform(), random.uniform(), random.uniform()};
    const double radius = random.uniform(0.1, 2), mass = random.uniform(0.1, 3);
    Vec<D> v{};
    Spin<D> spin{};
    for (int d = 0; d < D; ++d) v[d] = random.uniform(-1, 1);
    for (int d = 0; d < spin_dimension<D>; ++d) spin[d] = random.uniform(-1, 1) / radius;
    v[D - 1] = -std::abs(v[D - 1]) - 1e-3;
    const Vec<D> n_up = at<D>(0, 1), rolling = cross(radius * spin, n_up);
    Vec<D> slip = v - rolling;
    slip[D - 1] = 0;
    const auto b = bounce<D>(law, v, spin, radius, mass);
    const double fall = -v[D - 1], grip = law.friction * (1 + law.normal_restitution) * fall * tangent_factor<D>;
    const bool sticks = (1 + law.tangential_restitution) * norm(slip) <= grip;
    stuck += sticks;
    Vec<D> expected = sticks ? -law.tangential_restitution * slip : slip - (grip / norm(slip)) * slip;
    expected[D - 1] = law.normal_restitution * fall;
    ASSERT_LE(norm(b.contact_velocity - expected), 1e-13) << n;
    // Moment of momentum about the contact point: an impulse applied there does not change it.
    const Spin<D> about = (inertia_factor<D> * radius) * (b.spin - spin) + moment(n_up, b.velocity - v);
    ASSERT_LE(norm(about), 1e-13) << n;
    ASSERT_LE(std::abs(b.after.error()), 1e-14 * (1 + b.before.kinetic));
  }
  EXPECT_GT(stuck, 1000);
  EXPECT_LT(stuck, 4000);
}
TEST(Bounce, every_disc_follows_the_three_parameter_law) { three_parameter_law<2>(); }
TEST(Bounce, every_ball_follows_the_three_parameter_law) { three_parameter_law<3>(); }

// Each step reverses the velocity exactly, also under gravity; the heights tend to rho^2 each as h -> 0.
TEST(Bounce, height_falls_by_rho_squared_at_each_bounce) {
  const double rho = 0.8;
  for (const double h : {4e-4, 1e-4, 2.5e-5}) {
    auto simulation = Sample<2>(h, {0.0, rho, 0.0}).floor().ball(at<2>(0, 1.5), 0.5).start();
    double top = 1.0, previous_speed = 0.0;
    int bounces = 0;
    for (double peak = 0.0; bounces < 4;) {
      simulation.step();
      const double speed = simulation.state().bodies.state.velocity[0][1];
      if (speed > 0 && previous_speed < 0) {
        EXPECT_NEAR(speed, -rho * previous_speed, 1e-15);
        peak = 0.0;
      }
      peak = std::max(peak, height(simulation, 0) - 0.5);
      if (speed <= 0 && previous_speed > 0) {
        ++bounces;
        EXPECT_NEAR(peak / top, rho * rho, 4 * h * std::sqrt(2 * g / top)) << h << ' ' << bounces;
        top = peak;
      }
      previous_speed = speed;
    }
  }
}

}  // namespace
}  // namespace moreau
