// A body on a plane that is tilted slowly: at rest until tan(angle) = mu, then sliding. Gravity turns in the frame of the plane.
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

constexpr double mu = 0.4, rate = 0.2, mass = 3.0, h = 1e-3;

template <int D>
Sample<D> tilting_plane() {
  Sample<D> s(h, {mu, 0.0, 0.0});
  s.floor().ball(at<D>(2.0, 0.5), 0.5, {}, {}, mass);
  s.bodies.parameters.inertia[0] = 1e12;  // slides like a block
  s.model.tilt.from = 0.1, s.model.tilt.to = 0.9, s.model.tilt.rate = rate, s.model.tilt.start = 0.05;
  if constexpr (D == 2)
    s.model.tilt.axis[0] = 1.0;
  else
    s.model.tilt.axis = {{0, -1, 0}};  // as in the plane: gravity turns towards +x
  return s;
}

template <int D>
void slides_at_the_angle_of_friction() {
  auto simulation = tilting_plane<D>().start();
  const Tilt<D> tilt = simulation.model().tilt;
  const double critical = std::atan(mu);
  while (tilt.angle(simulation.state().time + h) < critical) {
    simulation.step();
    ASSERT_NEAR(simulation.state().bodies.state.velocity[0][0], 0.0, 1e-11) << simulation.state().time;
  }
  EXPECT_NEAR(tilt.angle(simulation.state().time), critical, rate * h);
  while (tilt.angle(simulation.state().time) < 0.8) {
    ASSERT_NEAR(simulation.step().energy.error(), 0.0, 1e-9);
    const double angle = tilt.angle(simulation.state().time);
    const double expected = g / rate * (std::cos(critical) - std::cos(angle) - mu * (std::sin(angle) - std::sin(critical)));
    ASSERT_NEAR(simulation.state().bodies.state.velocity[0][0], expected, 1e-4 + 1e-6 * expected);
  }
  EXPECT_GT(simulation.state().bodies.state.velocity[0][0], 1.0);
}
TEST(Tilt, disc_that_cannot_turn_slides_when_the_slope_exceeds_friction) { slides_at_the_angle_of_friction<2>(); }
TEST(Tilt, ball_that_cannot_turn_slides_when_the_slope_exceeds_friction) { slides_at_the_angle_of_friction<3>(); }

// Of a body at rest, turning gravity changes the potential energy and nothing else.
TEST(Tilt, work_of_turning_gravity_on_a_body_at_rest) {
  auto s = tilting_plane<2>();
  s.model.tilt.to = 0.3;  // below the angle of friction
  auto simulation = s.start();
  const Vec<2> x = simulation.state().bodies.state.position[0];
  const Vec<2> before = simulation.model().gravity_at(0.0);
  EXPECT_NEAR(before[0], g * std::sin(0.1), 1e-14);
  EXPECT_NEAR(before[1], -g * std::cos(0.1), 1e-14);
  for (int n = 0; n < 1500; ++n) simulation.step();
  const Vec<2> after = simulation.model().gravity_at(simulation.state().time);
  EXPECT_NEAR(after[0], g * std::sin(0.3), 1e-14);  // stays at its last angle
  const EnergyLedger& e = simulation.state().energy;
  EXPECT_NEAR(e.gravity_work, -mass * dot(after - before, x), 1e-9);
  EXPECT_NEAR(e.kinetic, 0.0, 1e-10);  // the moment of friction turns it a little, with an inertia of 1e12
  EXPECT_NEAR(e.error(), 0.0, 1e-11);
}

TEST(Tilt, back_from_a_larger_angle) {
  Tilt<2> tilt;
  tilt.from = 0.5, tilt.to = -0.1, tilt.rate = 0.2, tilt.start = 1.0;
  EXPECT_EQ(tilt.angle(0.0), 0.5);
  EXPECT_DOUBLE_EQ(tilt.angle(2.0), 0.3);
  EXPECT_DOUBLE_EQ(tilt.angle(10.0), -0.1);
}

// Driven discs on a circle that turn about its centre, as a paddle wheel: they stay on it, and turn themselves.
TEST(TurningBodies, driven_bodies_turn_about_a_point) {
  Sample<2> s(h);
  Motion<2> turn;
  turn.kind = MotionKind::rotation;
  turn.axis[0] = 1.0, turn.rate = 2.0, turn.centre = {{1, 1}};
  const int wheel = s.motion(turn);
  Motion<2> swing;
  swing.kind = MotionKind::swing;
  swing.axis[0] = 1.0, swing.angle = 0.5, swing.frequency = 0.25, swing.phase = 0.3;
  const int pendulum = s.motion(swing);
  s.obstacle({{3, 1}}, 0.1, wheel).obstacle({{0, -2}}, 0.1, pendulum);
  auto simulation = s.start();
  for (int n = 0; n < 1000; ++n) simulation.step();
  const BodyState<2>& b = simulation.state().bodies.state;
  EXPECT_NEAR(norm(b.position[0] - Vec<2>{{1 + 2 * std::cos(2.0), 1 + 2 * std::sin(2.0)}}), 0.0, 1e-11);
  EXPECT_NEAR(norm(b.velocity[0] - Vec<2>{{-4 * std::sin(2.0), 4 * std::cos(2.0)}}), 0.0, 1e-11);
  EXPECT_NEAR(b.orientation[0].angle, 2.0, 1e-11);
  EXPECT_EQ(b.spin[0][0], 2.0);
  const double angle = 0.5 * (std::sin(0.5 * M_PI + 0.3) - std::sin(0.3));
  EXPECT_NEAR(norm(b.position[1] - Vec<2>{{2 * std::sin(angle), -2 * std::cos(angle)}}), 0.0, 1e-11);
  EXPECT_NEAR(b.orientation[1].angle, angle, 1e-11);
  EXPECT_NEAR(b.spin[1][0], 0.5 * 0.5 * M_PI * std::cos(0.5 * M_PI + 0.3), 1e-12);
}

// A disc carried round by a turning pair of discs: the work on it is what it gained.
TEST(TurningBodies, ledger_closes_when_a_paddle_throws_a_ball) {
  Sample<2> s(h, {0.3, 0.0, 0.0}, {});
  Motion<2> turn;
  turn.kind = MotionKind::rotation;
  turn.axis[0] = 1.0, turn.rate = 2.0;
  const int wheel = s.motion(turn);
  s.obstacle({{1.0, 0.0}}, 0.2, wheel).obstacle({{0.6, 0.0}}, 0.2, wheel).ball({{0.8, 0.4}}, 0.2, {}, {}, mass);
  auto simulation = s.start();
  for (int n = 0; n < 1000; ++n) ASSERT_NEAR(simulation.step().energy.error(), 0.0, 1e-11);
  EXPECT_GT(simulation.state().energy.wall_work, 1.0);
}

}  // namespace
}  // namespace moreau
