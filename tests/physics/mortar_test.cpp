// Joints of mortar: strength until the first opening or sliding, then the bare surfaces for good.
//
//   A flat block of mass 1 on the ground, pulled up or sideways.        [_____]
//                                                                     ===========
#include <gtest/gtest.h>

#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
inline constexpr double corners = D == 2 ? 2.0 : 4.0;

const PairLaw mortar{.friction = 0.5, .joint = {.cohesion = 30.0, .tension = 20.0}};

template <int D>
Sample<D> joined_block(const Vec<D>& pull, const PairLaw& law = mortar) {
  Sample<D> s(1e-3, law, pull);
  s.model.contact_distance = 1e-6;
  s.floor();
  Vec<D> sides = at<D>(1.0, 0.01);
  for (int d = 1; d + 1 < D; ++d) sides[d] = 1.0;
  add_box<D>(s, sides, at<D>(0, 0.005), {}, 100.0);
  return s;
}

template <int D>
std::size_t bonds(const Simulation<D>& simulation) {
  std::size_t n = 0;
  for (const auto& c : simulation.state().contacts.condition) n += c.bonded() ? 1 : 0;
  return n;
}

template <int D>
void tension() {
  const double strength = corners<D> * mortar.joint.tension;
  auto holds = joined_block<D>(at<D>(0, 0.99 * strength)).start(), tears = joined_block<D>(at<D>(0, 1.01 * strength)).start();
  for (int n = 0; n < 50; ++n) holds.step(), tears.step();
  EXPECT_LE(norm(holds.state().bodies.state.velocity[0]), 1e-12);
  EXPECT_EQ(bonds(holds), static_cast<std::size_t>(corners<D>));
  // In its last step the joint pulls with all its strength; then nothing does.
  EXPECT_NEAR(tears.state().bodies.state.velocity[0][D - 1], 1e-3 * (0.01 + 49 * 1.01) * strength, 1e-9);
  EXPECT_NEAR(tears.state().energy.error(), 0.0, 1e-9);
}
TEST(Mortar, tears_at_its_tensile_strength) {
  tension<2>();
  tension<3>();
}

template <int D>
void shear() {
  for (const double pressure : {-10.0, 0.0, 30.0}) {  // pressure < 0: pulled up as well
    const double strength = corners<D> * mortar.joint.cohesion + mortar.friction * pressure;
    auto holds = joined_block<D>(at<D>(0.99 * strength, -pressure)).start();
    auto shears = joined_block<D>(at<D>(1.01 * strength, -pressure)).start();
    for (int n = 0; n < 50; ++n) {
      ASSERT_TRUE(holds.step().certificate.converged);
      shears.step();
    }
    EXPECT_LE(norm(holds.state().bodies.state.velocity[0]), 1e-11) << pressure;
    EXPECT_EQ(bonds(shears), 0u);
    const double afterwards = 1.01 * strength - std::max(0.0, mortar.friction * pressure);
    EXPECT_NEAR(shears.state().bodies.state.velocity[0][0], 1e-3 * (0.01 * strength + 49 * afterwards), 0.06 * strength * 1e-3)
        << D << ' ' << pressure;
  }
}
TEST(Mortar, shears_at_cohesion_plus_friction_and_keeps_friction_alone) {
  shear<2>();
  shear<3>();
}

TEST(Mortar, once_broken_never_holds_again) {
  const double strength = corners<2> * mortar.joint.cohesion + mortar.friction * 30.0;
  auto simulation = joined_block<2>(at<2>(1.01 * strength, -30.0)).start();
  simulation.step();
  EXPECT_EQ(bonds(simulation), 0u);
  simulation.mutable_model().gravity = at<2>(0, -30.0);  // rests again, in contact all the time
  for (int n = 0; n < 200; ++n) simulation.step();
  EXPECT_EQ(simulation.state().contacts.size(), 2u);
  EXPECT_LE(norm(simulation.state().bodies.state.velocity[0]), 1e-12);
  EXPECT_EQ(bonds(simulation), 0u);
  simulation.mutable_model().gravity = at<2>(0, 1.0);  // a pull that the mortar would not have felt
  simulation.step();
  EXPECT_NEAR(simulation.state().bodies.state.velocity[0][1], 1e-3, 1e-12);
}

TEST(Mortar, joins_only_what_touches_at_its_time) {
  PairLaw late = mortar;
  late.joint.bonded_at = 0.0105;
  auto simulation = joined_block<2>(at<2>(0, -30.0), late).start();
  for (int n = 0; n < 10; ++n) simulation.step();
  EXPECT_EQ(bonds(simulation), 0u);
  simulation.step();
  EXPECT_EQ(bonds(simulation), 2u);
  auto never = joined_block<2>(at<2>(0, -30.0));  // falls on the ground after the beginning
  never.bodies.state.position[0][1] += 0.01;
  auto falling = never.start();
  for (int n = 0; n < 100; ++n) falling.step();
  EXPECT_EQ(falling.state().contacts.size(), 2u);
  EXPECT_EQ(bonds(falling), 0u);
}

// Three blocks of mass 1 hang from a ceiling that is shaken up and down: the upper joint carries 3 (g + a), the next one 2 (g +
// a).
//
//   =====     strength 34 = 3 (g + 1.52); the ceiling reaches a = 3
//    [_]
//    [_]
//    [_]
Sample<2> hanging_column() {
  Sample<2> s(1e-3, {.friction = 0.5, .joint = {.cohesion = 30.0, .tension = 17.0}});
  const double frequency = 3.0, amplitude = 3.0 / std::pow(2.0 * M_PI * frequency, 2);
  const int shake = s.motion(shaken<2>(at<2>(0, amplitude), frequency, M_PI / 2));
  s.model.contact_distance = 1e-6;
  s.wall(at<2>(0, -amplitude), at<2>(0, -1), shake);  // displaced by the amplitude at the beginning
  for (int k = 0; k < 3; ++k) add_box<2>(s, {{0.5, 0.5}}, at<2>(0, -0.25 - 0.5 * k), {}, 4.0);
  return s;
}

TEST(Mortar, hanging_column_tears_at_its_upper_joint_when_the_ceiling_lifts_too_fast) {
  auto simulation = hanging_column().start();
  const double omega = 6.0 * M_PI, breaks = std::acos((34.0 / 3.0 - g) / -3.0) / omega;
  for (int n = 1; n <= 200; ++n) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.certificate.converged);
    ASSERT_EQ(report.joints, bonds(simulation));
    if (report.time < breaks - 1.5e-3) {
      ASSERT_EQ(report.joints, 6u) << n;
    }
    if (report.time > breaks + 1.5e-3) {
      ASSERT_EQ(report.joints, 4u) << n;  // and the rest falls as one
    }
  }
  const auto& velocity = simulation.state().bodies.state.velocity;
  EXPECT_NEAR(velocity[0][1], velocity[2][1], 1e-12);
  EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-10);
}

// A run continued from a copy of its state is the same to the last bit, before and after the failure.
TEST(Mortar, state_of_the_joints_is_part_of_the_state) {
  const auto s = hanging_column();
  for (const int steps : {50, 150}) {
    auto whole = s.start();
    for (int n = 0; n < steps; ++n) whole.step();
    Simulation<2> resumed(s.model, whole.state());
    for (int n = 0; n < 100; ++n) whole.step(), resumed.step();
    EXPECT_EQ(state_hash(whole.state()), state_hash(resumed.state()));
    State<2> forgetful = whole.state();
    for (auto& c : forgetful.contacts.condition) c.bits ^= 4;
    EXPECT_NE(state_hash(forgetful), state_hash(whole.state()));
  }
}

}  // namespace
}  // namespace moreau
