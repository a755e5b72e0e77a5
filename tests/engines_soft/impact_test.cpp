// Impacts of two bodies against closed forms: restitution of each normal law, tangential reversal, gross sliding.
#include <gtest/gtest.h>

#include "engines_soft/soft_sample.hpp"
#include "moreau/engines/soft/damping.hpp"

namespace moreau {
namespace {

using namespace soft_sample;

constexpr double k_n = 1e4;

// Two equal bodies of mass 1 that touch and approach along x, each at half of `approach`; steps: in half a period of the pair.
template <int D>
SoftSample<D> pair(const YieldingLaw& law, int steps, double approach, Integrator integrator = Integrator::verlet) {
  const double half_period = std::numbers::pi * std::sqrt(0.5 / law.soft.stiffness);
  SoftSample<D> s(half_period / steps, law, integrator);
  s.ball(at<D>(0, 0), 0.5, at<D>(0.5 * approach, 0)).ball(at<D>(1, 0), 0.5, at<D>(-0.5 * approach, 0));
  return s;
}

template <int D>
double restitution(SoftSample<D>& s, double approach) {
  for (int n = 0; n < 1'000'000; ++n)
    if (s.step().contacts == 0) break;
  return (s.v(1)[0] - s.v(0)[0]) / approach;
}

template <int D>
void clipped_dashpots_give_the_closed_form(Integrator integrator) {
  for (const double zeta : {0.0, 0.1, 0.5, 0.9, 1.0, 1.5}) {
    auto s = pair<D>(soft_law(k_n, zeta), 200, 0.02, integrator);
    EXPECT_NEAR(restitution(s, 0.02), soft::restitution_of(zeta, false), 1e-4) << zeta;
  }
}
TEST(Impact, clipped_dashpots_give_the_closed_form_for_discs_by_verlet) {
  clipped_dashpots_give_the_closed_form<2>(Integrator::verlet);
}
TEST(Impact, clipped_dashpots_give_the_closed_form_for_balls_by_verlet) {
  clipped_dashpots_give_the_closed_form<3>(Integrator::verlet);
}
TEST(Impact, clipped_dashpots_give_the_closed_form_for_discs_by_gear) {
  clipped_dashpots_give_the_closed_form<2>(Integrator::gear);
}

// Numbers computed by hand from the formulas, once.
TEST(Impact, closed_forms_of_restitution_have_the_known_values) {
  EXPECT_NEAR(soft::restitution_of(0.1, false), 0.74408, 1e-5);
  EXPECT_NEAR(soft::restitution_of(0.5, false), 0.29844, 1e-5);
  EXPECT_NEAR(soft::restitution_of(0.9, false), 0.15528, 1e-5);
  EXPECT_NEAR(soft::restitution_of(1.0, false), std::exp(-2.0), 1e-12);
  EXPECT_NEAR(soft::restitution_of(1.5, false), 0.07559, 1e-5);
  EXPECT_NEAR(soft::restitution_of(0.1, true), 0.72925, 1e-5);
  EXPECT_NEAR(soft::restitution_of(0.5, true), 0.16303, 1e-5);
  EXPECT_NEAR(soft::restitution_of(0.9, true), 0.00152, 1e-5);
  for (const double e : {0.9, 0.3, 0.1})
    for (const bool pull : {false, true}) EXPECT_NEAR(soft::restitution_of(soft::damping_for(e, pull), pull), e, 1e-12);
}

// A force that may pull ends with a jump, somewhere in the last step: first order.
TEST(Impact, dashpots_that_pull_give_the_closed_form_in_the_limit) {
  for (const double zeta : {0.1, 0.5, 0.9}) {
    for (const int steps : {200, 2000}) {
      auto s = pair<2>(soft_law(k_n, zeta), steps, 0.02);
      s.model.soft.dashpots_pull = true;
      EXPECT_NEAR(restitution(s, 0.02), soft::restitution_of(zeta, true), 4.0 * zeta / steps) << zeta << " " << steps;
    }
  }
}

TEST(Impact, largest_overlap_is_speed_over_frequency) {
  auto s = pair<2>(soft_law(k_n, 0.0), 400, 0.02);
  double deepest = 0.0;
  for (int n = 0; n < 400; ++n) deepest = std::max(deepest, s.step().max_penetration);
  EXPECT_NEAR(deepest, 0.02 / std::sqrt(2.0 * k_n), 1e-5 * deepest);  // relative to the diameter, 1
}

TEST(Impact, walton_braun_gives_the_root_of_the_stiffness_ratio_at_any_speed) {
  for (const double k_2 : {1.0, 2.0, 4.0, 25.0})
    for (const double speed : {1e-3, 0.1}) {
      YieldingLaw law = soft_law(k_n, 0.0);
      law.soft.unloading_stiffness = k_2 * k_n;
      auto s = pair<2>(law, 400, speed);
      for (int n = 0; n < 800; ++n) s.step();  // the force is over before the overlap is: what is left of it is lasting
      EXPECT_NEAR((s.v(1)[0] - s.v(0)[0]) / speed, std::sqrt(1.0 / k_2), 1e-4) << k_2 << " " << speed;
    }
}

// Loaded, unloaded, loaded again: back up the slope k_2 to the largest force so far, then on along k_n. A disc pushed by a wall
// against a fixed one, so slowly that forces are equal.
TEST(Impact, walton_braun_reloads_along_the_slope_of_unloading) {
  YieldingLaw law = soft_law(1.0, 0.0);
  law.soft.unloading_stiffness = 4.0;
  SoftSample<2> s(0.05, law);
  s.fixed(at<2>(0, 0), 0.5).ball(at<2>(1, 0), 0.5);
  s.model.damping = 5.0;  // more than critical: overlaps do not overshoot
  const auto rest_at = [&](double force) {
    s.model.gravity = at<2>(-force, 0);
    s.steps(4000);
    return 1.0 - s.x(1)[0];
  };
  EXPECT_NEAR(rest_at(0.01), 0.01, 1e-6);                 // loading
  EXPECT_NEAR(rest_at(0.002), 0.01 - 0.008 / 4.0, 1e-6);  // unloading
  EXPECT_NEAR(rest_at(0.008), 0.01 - 0.002 / 4.0, 1e-6);  // reloading
  EXPECT_NEAR(rest_at(0.02), 0.02, 1e-6);                 // loading again
}

// Equal bodies turning so that their surfaces meet at speed u_t, sticking all along with k_t = k_n / (1 + m r^2 / I): the
// tangential oscillation has the period of the normal one, and the tangential velocity is exactly reversed.
template <int D>
void tangential_velocity_is_reversed() {
  const double factor = D == 2 ? 3.0 : 3.5, u_n = 2e-4, u_t = 1e-4;  // slow: the pair does not turn meanwhile
  for (const Integrator integrator : {Integrator::verlet, Integrator::gear}) {
    auto s = pair<D>(soft_law(k_n, 0.0, 1.01 * u_t / (factor * u_n), k_n / factor), 200, u_n, integrator);
    s.state.bodies.state.velocity[0][D - 1] = 0.5 * u_t, s.state.bodies.state.velocity[1][D - 1] = -0.5 * u_t;
    restitution(s, u_n);
    Vec<D> n = at<D>(-1, 0);
    const Vec<D> u = s.v(0) - s.v(1) - cross(0.5 * (s.spin(0) + s.spin(1)), n);
    EXPECT_NEAR(u[D - 1], -u_t, 1e-4 * u_t);
    EXPECT_NEAR(s.v(1)[0] - s.v(0)[0], u_n, 1e-4 * u_n);
  }
}
TEST(Impact, tangential_velocity_is_reversed_for_discs) { tangential_velocity_is_reversed<2>(); }
TEST(Impact, tangential_velocity_is_reversed_for_balls) { tangential_velocity_is_reversed<3>(); }

// Too fast to stick: u_t' = u_t - (1 + m r^2 / I) mu (1 + e) u_n.
template <int D>
void gross_sliding() {
  const double factor = D == 2 ? 3.0 : 3.5, u_n = 2e-4, u_t = 0.2, mu = 0.3;  // fast: the spring is at its limit at once
  for (const double zeta : {0.0, 0.3}) {
    auto s = pair<D>(soft_law(k_n, zeta, mu, 0.5 * k_n), 800, u_n);
    const Spin<D> spin = lifting_spin<D>(u_t);  // both alike: 0.5 u_t each
    s.state.bodies.state.spin = {spin, spin};
    restitution(s, u_n);
    const Vec<D> u = s.v(0) - s.v(1) - cross(0.5 * (s.spin(0) + s.spin(1)), at<D>(-1, 0));
    const double change = factor * mu * (1.0 + soft::restitution_of(zeta, false)) * u_n;
    EXPECT_NEAR(u_t - u[D - 1], change, 1e-3 * change) << zeta;
  }
}
TEST(Impact, gross_sliding_of_discs) { gross_sliding<2>(); }
TEST(Impact, gross_sliding_of_balls) { gross_sliding<3>(); }

// The position at a time within the contact, where all is smooth: error over that of half the step.
double order_of(Integrator integrator, double zeta) {
  const double speed = 0.02, omega0 = std::sqrt(2.0 * k_n), time = 0.4 * std::numbers::pi / omega0;
  const double omega = omega0 * std::sqrt(1.0 - zeta * zeta);
  const double exact = speed / omega * std::exp(-zeta * omega0 * time) * std::sin(omega * time);
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const int steps = 40 << k;
    SoftSample<2> s(time / steps, soft_law(k_n, zeta), integrator);
    s.ball(at<2>(0, 0), 0.5, at<2>(0.5 * speed, 0)).ball(at<2>(1, 0), 0.5, at<2>(-0.5 * speed, 0));
    s.steps(steps);
    error[k] = std::abs(1.0 - (s.x(1)[0] - s.x(0)[0]) - exact);
  }
  return std::log2(error[0] / error[1]);
}
TEST(Impact, verlet_is_of_order_two) {
  EXPECT_NEAR(order_of(Integrator::verlet, 0.0), 2.0, 0.1);
  EXPECT_NEAR(order_of(Integrator::verlet, 0.4), 2.0, 0.1);
}
// Without dashpots its positions are even better.
TEST(Impact, gear_is_at_least_of_order_three) {
  EXPECT_GT(order_of(Integrator::gear, 0.0), 2.8);
  EXPECT_NEAR(order_of(Integrator::gear, 0.4), 3.0, 0.2);
}

}  // namespace
}  // namespace moreau
