// Coefficients that depend on the speed of a contact when the step begins.
#include <gtest/gtest.h>

#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

// Gravity is turned instead of the ground. A flat block of mass 1.
template <int D>
Simulation<D> block_on_slope(const PairLaw& law, double slope, double speed) {
  Sample<D> s(1e-3, law, g * at<D>(std::sin(slope), -std::cos(slope)));
  s.model.contact_distance = 1e-6;
  s.floor();
  Vec<D> sides = at<D>(1.0, 0.1);
  for (int d = 1; d + 1 < D; ++d) sides[d] = 1.0;
  const std::size_t block = add_box<D>(s, sides, at<D>(0, 0.05), {}, 10.0);
  s.bodies.state.velocity[block][0] = speed;
  return s.start();
}

template <int D>
void static_and_dynamic() {
  const PairLaw law{.friction = 0.3, .static_friction = 0.5, .static_speed = 1e-3};
  const double slope = std::atan(0.4);
  auto rests = block_on_slope<D>(law, slope, 0.0), slow = block_on_slope<D>(law, slope, 0.9e-3),
       fast = block_on_slope<D>(law, slope, 0.1), steep = block_on_slope<D>(law, std::atan(0.51), 0.0);
  for (int n = 0; n < 200; ++n) rests.step(), slow.step(), fast.step(), steep.step();
  EXPECT_LE(norm(rests.state().bodies.state.velocity[0]), 1e-12);
  EXPECT_LE(norm(slow.state().bodies.state.velocity[0]), 1e-12);  // below the speed of the static friction it is caught
  EXPECT_NEAR(fast.state().bodies.state.velocity[0][0], 0.1 + 0.2 * g * (std::sin(slope) - 0.3 * std::cos(slope)), 1e-9);
  // Beyond the static friction it starts, and the friction falls once it has the speed.
  const double first = g * (0.51 - 0.5) * std::cos(std::atan(0.51)) * 1e-3;
  const int caught = static_cast<int>(std::ceil(1e-3 / first - 1e-9));  // steps that begin at most at the static speed ...
  const double expected = caught * first + (200 - caught) * 1e-3 * g * (0.51 - 0.3) * std::cos(std::atan(0.51));
  EXPECT_NEAR(steep.state().bodies.state.velocity[0][0], expected, 2.5e-3);  // ... up to one of them
}
TEST(StaticFriction, holds_a_block_that_rests_and_lets_one_slide_that_moves) {
  static_and_dynamic<2>();
  static_and_dynamic<3>();
}

TEST(FrictionAtSpeed, decelerates_by_its_table) {
  PairLaw law{.friction = 0.6};
  law.friction_at_speed = {{0.0, 1.0}, {0.6, 0.2}};
  auto simulation = block_on_slope<2>(law, 0.0, 0.8);
  double v = 0.8;
  for (int n = 0; n < 100; ++n) {
    simulation.step();
    v -= 1e-3 * g * (0.6 - 0.4 * v);  // the coefficient of the beginning of the step
    ASSERT_NEAR(simulation.state().bodies.state.velocity[0][0], v, 1e-10) << n;
  }
}

TEST(RestitutionAtSpeed, bounces_by_its_table) {
  PairLaw law;
  law.restitution_at_speed = {{0.0, 1.0, 3.0}, {1.0, 0.8, 0.2}};
  for (const auto& [speed, e] : {std::pair{0.5, 0.9}, {1.0, 0.8}, {2.0, 0.5}, {5.0, 0.2}}) {
    Sample<3> s(1e-3, law, {});
    s.floor().ball(at<3>(0, 0.5), 0.5, at<3>(0, -speed));
    auto simulation = s.start();
    simulation.step();
    EXPECT_NEAR(simulation.state().bodies.state.velocity[0][2], e * speed, 1e-12);
  }
}

}  // namespace
}  // namespace moreau
