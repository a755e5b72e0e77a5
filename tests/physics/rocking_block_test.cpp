// A block rocking on a plane without restitution (Moreau 2003 sec. 8; Housner 1963).
//
//      +--+
//      |  | 2a    lands on its second corner: w+/w- = 1 - 3 b^2 / (2 (a^2 + b^2)) when the corner sticks,
//      +--+       (a^2 - 2 b^2)/(a^2 + 4 b^2) without friction; a squat block stops at once on both corners.
//       2b
#include <gtest/gtest.h>

#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

// Rocks about its right corner, falls on the left one; returns w+/w- of that landing.
double landing_ratio(double a, double b, double mu, double h) {
  Sample<2> s(h, {mu, 0.0, 0.0});
  const double tilt = 1e-4;  // turned by this angle about the right corner, left corner up
  s.model.contact_distance = 1e-7;
  s.floor();
  const Vec<2> corner{{b, 0.0}}, arm{{-b, a}};
  add_box<2>(s, {{2 * b, 2 * a}}, corner + rotate(Rotation<2>{-tilt}, arm), Rotation<2>{-tilt});
  auto simulation = s.start();
  // The block comes down turning about the right corner.
  const double spin = 0.5;
  auto& state = simulation.mutable_state().bodies.state;
  state.spin[0] = {{spin}};
  state.velocity[0] = cross(Vec<1>{{spin}}, rotate(Rotation<2>{-tilt}, arm));
  simulation.changed_by_hand();
  double before = spin;
  for (int n = 0; n < 100000; ++n) {
    simulation.step();
    const double now = simulation.state().bodies.state.spin[0][0];
    if (simulation.state().bodies.state.orientation[0].angle > -1e-9 || now < 0.98 * before) {
      for (int k = 0; k < 2; ++k) simulation.step();
      return simulation.state().bodies.state.spin[0][0] / before;
    }
    before = now;
  }
  return NAN;
}

TEST(RockingBlock, loses_spin_at_a_landing_as_the_exact_solution) {
  const double h = 1e-6;
  // Corners that stick; sliding ones are in tests/solver/rocking_block_test.cpp, where the landing is a problem of its own.
  EXPECT_NEAR(landing_ratio(2.0, 1.0, 0.36, h), 0.70, 2e-3);
  EXPECT_NEAR(landing_ratio(4.0, 1.0, 0.5, h), 1 - 1.5 / 17.0, 2e-3);
  EXPECT_NEAR(landing_ratio(0.6, 1.0, 2.0, h), 0.0, 1e-6);  // a/b < 1/sqrt 2: both corners stay
}

// Housner: the spin loses the factor r at each landing, and the amplitude angle follows from energy:
//   1 - cos(alpha - theta_n) = r^2 (1 - cos(alpha - theta_{n-1})),  alpha = atan(b/a), theta the tilt at rest of swing n.
TEST(RockingBlock, long_rocking_decays_as_housner_predicts) {
  const double a = 1.0, b = 0.2, alpha = std::atan(b / a), radius = std::hypot(a, b), r = 1 - 1.5 * b * b / (a * a + b * b);
  const auto amplitude_after = [&](double theta) {
    const double p = std::cos(alpha - theta) - std::cos(alpha);  // energy over m g R: 0 ... 1 - cos alpha
    return alpha - std::acos(std::cos(alpha) + r * r * p);
  };
  std::vector<double> error_of;
  for (const double h : {1e-3, 2.5e-4}) {
    Sample<2> s(h, {2.0, 0.0, 0.0});
    s.model.contact_distance = 1e-9;
    s.floor();
    const double start = 0.6 * alpha;
    const Vec<2> arm{{-b, a}};
    add_box<2>(s, {{2 * b, 2 * a}}, Vec<2>{{b, 0}} + rotate(Rotation<2>{-start}, arm), Rotation<2>{-start});
    auto simulation = s.start();
    double previous = 0.0, expected = start, worst = 0.0;
    int swings = 0;
    for (int n = 0; n < std::lround(12.0 / h) && swings < 12; ++n) {
      simulation.step();
      const double spin = simulation.state().bodies.state.spin[0][0];
      if (previous * spin < 0.0) {  // turning point: extreme tilt
        expected = amplitude_after(expected);
        const double tilt = std::abs(simulation.state().bodies.state.orientation[0].angle);
        worst = std::max(worst, std::abs(tilt - expected) / start);
        ++swings;
      }
      if (spin != 0.0) previous = spin;
    }
    EXPECT_GE(swings, 12) << h;
    error_of.push_back(worst);
    EXPECT_LE(std::abs(simulation.state().energy.error()), 1e-9 * g * radius);
  }
  EXPECT_LE(error_of[1], 0.02);
  EXPECT_LE(error_of[1], 0.5 * error_of[0]);
}

}  // namespace
}  // namespace moreau
