// A completely inelastic ball on a plate z = -A cos(omega t): it leaves when the plate falls faster than g and
// lands where its parabola meets the plate again.
//
//       o         take-off  cos(omega t0) = -1/Gamma,  Gamma = A omega^2 / g
//     -----       landing   first t1 with  parabola = plate
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

struct Flight {
  double take_off, landing;
};

Flight exact_flight(double frequency, double amplitude) {
  const double omega = 2 * M_PI * frequency, t0 = std::acos(-g / (amplitude * omega * omega)) / omega;
  const double z0 = -amplitude * std::cos(omega * t0), v0 = amplitude * omega * std::sin(omega * t0);
  const auto above = [&](double t) {
    return z0 + v0 * (t - t0) - 0.5 * g * (t - t0) * (t - t0) + amplitude * std::cos(omega * t);
  };
  double low = t0 + 0.25 / frequency, high = low;
  while (above(high) > 0) high += 1e-4;
  for (int k = 0; k < 60; ++k) (above(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  return {t0, low};
}

template <int D>
Flight simulated_flight(double frequency, double amplitude, double h, ContactRule rule) {
  Sample<D> s(h, {0.5, 0.0, 0.0});
  s.model.rule = rule;
  s.wall({}, at<D>(0, 1), s.motion(shaken<D>(at<D>(0, amplitude), frequency, -M_PI / 2))).ball(at<D>(0, 1e-3 - amplitude), 1e-3);
  auto simulation = s.start();
  Flight flight{0, 0};
  while (flight.landing == 0 && simulation.state().time < 3 / frequency) {
    const StepReport report = simulation.step();
    const bool pressed = report.stick + report.slide > 0;
    if (!pressed && flight.take_off == 0) flight.take_off = report.time;
    if (pressed && flight.take_off > 0) flight.landing = report.time;
  }
  return flight;
}

struct Case {
  double frequency, amplitude, gamma, take_off, landing;
};
constexpr Case cases[] = {
    {15, 0.15e-2, 1.358, 0.02545, 0.05838}, {20, 0.125e-2, 2.012, 0.01664, 0.05388}, {25, 0.1e-2, 2.515, 0.01260, 0.04702}};

TEST(ShakenPlate, flight_of_the_three_published_drives) {
  for (const Case& c : cases) {
    EXPECT_NEAR(c.amplitude * std::pow(2 * M_PI * c.frequency, 2) / g, c.gamma, 6e-4);
    const Flight exact = exact_flight(c.frequency, c.amplitude);
    EXPECT_NEAR(exact.take_off, c.take_off, 6e-6);
    EXPECT_NEAR(exact.landing, c.landing, 6e-6);
    for (const ContactRule rule : {ContactRule::midpoint, ContactRule::predictive})
      for (const double h : {2e-5, 5e-6}) {
        const Flight disc = simulated_flight<2>(c.frequency, c.amplitude, h, rule);
        const Flight ball = simulated_flight<3>(c.frequency, c.amplitude, h, rule);
        EXPECT_NEAR(disc.take_off, exact.take_off, 3 * h) << c.gamma;
        EXPECT_NEAR(disc.landing, exact.landing, 3 * h) << c.gamma;
        EXPECT_EQ(ball.take_off, disc.take_off);
        EXPECT_EQ(ball.landing, disc.landing);
      }
  }
}

TEST(ShakenPlate, ball_never_leaves_below_one_g) {
  const double frequency = 20, amplitude = 0.99 * g / std::pow(2 * M_PI * frequency, 2);
  const Flight flight = simulated_flight<2>(frequency, amplitude, 2e-5, ContactRule::predictive);
  EXPECT_EQ(flight.take_off, 0.0);
}

}  // namespace
}  // namespace moreau
