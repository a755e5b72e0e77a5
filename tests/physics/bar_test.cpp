// Bars as real bodies in real steps: the sliding rod that jams (Painleve) and the bar wedged between converging walls. The
// one-step problems behind them are solved on their own in tests/solver/painleve_rod_test.cpp and wedged_bar_test.cpp.
#include <gtest/gtest.h>

#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

// A needle of half-length 1 along x with the inertia of a homogeneous rod, mass 1.
std::size_t add_bar(Sample<2>& s, const Vec<2>& centre, double angle) {
  PlacedShape<2> placed = hull_shape<2>({{{-1, 0}}, {{1, 0}}, {{0, 1e-3}}, {{0, -1e-3}}});
  placed.shape.gyration = {{1.0 / 3.0}};
  const std::size_t i = add_block<2>(s, placed, centre, Rotation<2>{angle});
  s.bodies.parameters.mass[i] = 1.0, s.bodies.parameters.inertia[i] = 1.0 / 3.0;
  return i;
}

struct Rod {
  Vec<2> velocity;
  double spin, energy;
  Vec<2> impulse;
};

// First step of a rod at tan(angle) = 2 that translates to the left on its lower tip.
Rod slide(double friction, double h) {
  Sample<2> s(h, {friction, 0.0, 0.0});
  s.model.contact_distance = 1e-9;
  s.floor();
  const double sine = 2.0 / std::sqrt(5.0);
  add_bar(s, {{0.0, sine}}, std::atan(2.0));
  auto simulation = s.start();
  simulation.mutable_state().bodies.state.velocity[0] = {{-1.0, 0.0}};
  simulation.changed_by_hand();
  simulation.step();
  const auto& state = simulation.state();
  return {state.bodies.state.velocity[0], state.bodies.state.spin[0][0], state.energy.kinetic,
          state.contacts.size() == 1 ? state.contacts.impulse[0] : Vec<2>{}};
}

TEST(SlidingRod, jams_at_once_with_a_finite_impulse_however_small_the_step) {
  for (const double h : {1e-4, 1e-6, 1e-8}) {
    const Rod rod = slide(2.0, h);
    EXPECT_NEAR(rod.impulse[0], 0.4, 10 * h + 1e-9);
    EXPECT_NEAR(rod.impulse[1], 0.3, 10 * h + 1e-9);
    EXPECT_NEAR(rod.velocity[0], -0.6, 20 * h + 1e-9);
    EXPECT_NEAR(rod.energy, 0.3, 20 * h + 1e-9);
  }
}

TEST(SlidingRod, slides_on_below_the_critical_friction) {
  for (const double h : {1e-4, 1e-6}) {
    const Rod rod = slide(1.0, h);
    EXPECT_LE(norm(rod.impulse), 50 * h);
    EXPECT_NEAR(rod.velocity[0], -1.0, 50 * h);
  }
}

// The bar starts at rest with a thrust X at its ends; the walls lean towards each other upwards.
double speed_after(double thrust_factor, int steps) {
  const double gamma = 0.5, beta = 10.0 * M_PI / 180.0, h = 1e-3;
  Sample<2> s(h, {gamma, 0.0, 0.0});
  s.model.contact_distance = 1e-9;
  s.model.gravity = {};
  s.wall({{-1, 0}}, {{std::cos(beta), -std::sin(beta)}}).wall({{1, 0}}, {{-std::cos(beta), -std::sin(beta)}});
  add_bar(s, {{0, 0}}, 0.0);
  auto simulation = s.start();
  simulation.step();  // finds the contacts
  simulation.mutable_model().gravity = {{0, -g}};
  auto& contacts = simulation.mutable_state().contacts;
  EXPECT_EQ(contacts.size(), 2u);
  const double least = 0.5 * g * h / std::tan(std::atan(gamma) - beta);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double inwards = contacts.normal[i][0] > 0 ? 1.0 : -1.0;
    contacts.impulse[i] = {{inwards * thrust_factor * least, 0.5 * g * h}};
  }
  for (int n = 0; n < steps; ++n) simulation.step();
  return norm(simulation.state().bodies.state.velocity[0]);
}

TEST(WedgedBarInSteps, initial_impulses_decide_between_rest_and_fall_at_the_exact_threshold) {
  for (const double factor : {1.001, 1.5, 4.0}) EXPECT_LE(speed_after(factor, 100), 1e-9) << factor;
  for (const double factor : {0.0, 0.5, 0.999}) EXPECT_NEAR(speed_after(factor, 1), g * 1e-3, 1e-6) << factor;
}

}  // namespace
}  // namespace moreau
