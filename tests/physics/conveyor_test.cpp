// A ball put down at rest on a belt of speed V slips, then rolls.
//
//        _
//       (_)  -> v           friction mu m g until the slip V - v - r w is used up:
//   ------------ -> V       after V/(k mu g) with k = h_T/h_N (2/7 in space, 1/3 in the plane), the ball has v = V/k.
//
// The belt works mu m g V on it all that time, m V^2/k in all; half of that, whatever k, is lost in slip.
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

constexpr double belt = 1.5, mu = 0.25, radius = 0.1, mass = 2.0, h = 1e-3;

template <int D>
Sample<D> ball_on_belt() {
  Sample<D> s(h, {mu, 0.0, 0.0});
  const int motion = s.motion(steady<D>(at<D>(belt, 0)));
  s.floor();
  s.model.walls[0].surface = motion;
  s.ball(at<D>(0, radius), radius, {}, {}, mass);
  return s;
}

template <int D>
void slips_then_rolls() {
  const double k = tangent_factor<D>, slip_time = belt / (k * mu * g);
  auto simulation = ball_on_belt<D>().start();
  while (simulation.state().time + h < slip_time) {
    simulation.step();
    EXPECT_NEAR(simulation.state().bodies.state.velocity[0][0], mu * g * simulation.state().time, 1e-11);
  }
  for (int n = 0; n < 500; ++n) simulation.step();
  const BodyState<D>& s = simulation.state().bodies.state;
  EXPECT_NEAR(s.velocity[0][0], belt / k, 1e-11);
  EXPECT_NEAR(forward_rate<D>(s.spin[0]), -(belt - belt / k) / radius, 1e-9);  // its lowest point goes with the belt
  EXPECT_NEAR(s.position[0][D - 1], radius, 1e-9);                             // the belt stays where it is
  const EnergyLedger& e = simulation.state().energy;
  EXPECT_NEAR(e.wall_work, mass * belt * belt / k, 1e-10);
  EXPECT_NEAR(e.dissipated, 0.5 * mass * belt * belt / k, 1e-10);
  EXPECT_NEAR(e.error(), 0.0, 1e-11);
  EXPECT_EQ(simulation.contact_records().status[0], ContactStatus::stick);
  EXPECT_NEAR(norm(simulation.contact_records().relative_velocity[0]), 0.0, 1e-11);
}
TEST(Conveyor, disc_slips_a_third_of_v_over_mu_g_then_rolls) { slips_then_rolls<2>(); }
TEST(Conveyor, ball_slips_two_sevenths_of_v_over_mu_g_then_rolls) { slips_then_rolls<3>(); }

// Without friction the belt does nothing.
TEST(Conveyor, smooth_belt_leaves_the_ball_at_rest) {
  auto s = ball_on_belt<3>();
  s.laws({}, {});
  auto simulation = s.start();
  for (int n = 0; n < 100; ++n) simulation.step();
  EXPECT_EQ(simulation.state().bodies.state.velocity[0][0], 0.0);
  EXPECT_EQ(simulation.state().energy.wall_work, 0.0);
}

// In a rough drum that turns with W about its axis, a disc at the bottom with the spin W R/r of a wheel in gear stays there.
template <int D>
Sample<D> drum(double radius_of_drum, double rate) {
  Sample<D> s(h, {0.8, 0.0, 0.0});
  Motion<D> turn;
  turn.kind = MotionKind::rotation;
  turn.axis = forward_spin<D>(1.0);
  turn.rate = rate;
  const int motion = s.motion(turn);
  s.cylinder(radius_of_drum);
  if constexpr (D == 3) s.model.walls[0].geometry.direction = {{0, 1, 0}};
  s.model.walls[0].surface = motion;
  return s;
}

template <int D>
void in_gear_at_the_bottom() {
  const double r = 0.1, big = 1.0, rate = 3.0;
  auto s = drum<D>(big, rate);
  s.ball(at<D>(0, r - big), r, {}, forward_spin<D>(rate * big / r));
  auto simulation = s.start();
  for (int n = 0; n < 500; ++n) simulation.step();
  const BodyState<D>& b = simulation.state().bodies.state;
  EXPECT_NEAR(norm(b.position[0] - at<D>(0, r - big)), 0.0, 1e-9);
  EXPECT_NEAR(forward_rate<D>(b.spin[0]), rate * big / r, 1e-9);
  EXPECT_NEAR(simulation.state().energy.wall_work, 0.0, 1e-9);
}
TEST(Drum, disc_in_gear_stays_at_the_bottom) { in_gear_at_the_bottom<2>(); }
TEST(Drum, ball_in_gear_stays_at_the_bottom) { in_gear_at_the_bottom<3>(); }

// Put down at rest it is taken along with the acceleration mu g, as by a belt of speed W R, towards where the bottom goes.
template <int D>
void taken_along() {
  auto s = drum<D>(1.0, 3.0);
  s.ball(at<D>(0, 0.1 - 1.0), 0.1);
  auto simulation = s.start();
  for (int n = 0; n < 10; ++n) simulation.step();
  // The spin that moves the top forward moves the bottom backward.
  EXPECT_NEAR(simulation.state().bodies.state.velocity[0][0], -0.8 * g * 10 * h, 1e-3 * 0.8 * g * 10 * h);
  EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-12);
}
TEST(Drum, disc_at_rest_is_taken_along) { taken_along<2>(); }
TEST(Drum, ball_at_rest_is_taken_along) { taken_along<3>(); }

TEST(Drum, ledger_closes_and_a_cut_run_has_the_same_bits) {
  auto s = drum<2>(1.0, 4.0);
  RandomStream random(5);
  for (int i = 0; i < 60; ++i) s.ball({{-0.45 + 0.1 * (i % 10), -0.6 + 0.1 * (i / 10)}}, random.uniform(0.03, 0.049));
  s.model.solver = {};
  auto simulation = s.start();
  for (int n = 0; n < 400; ++n) ASSERT_NEAR(simulation.step().energy.error(), 0.0, 1e-9);  // of some hundred
  const State<2> half = simulation.state();
  for (int n = 0; n < 400; ++n) ASSERT_NEAR(simulation.step().energy.error(), 0.0, 1e-9);  // of some hundred
  EXPECT_GT(simulation.state().energy.wall_work, 1.0);
  Simulation<2> resumed(simulation.model(), half);
  for (int n = 0; n < 400; ++n) resumed.step();
  EXPECT_EQ(state_hash(resumed.state()), state_hash(simulation.state()));
}

// A couple of rolling friction works with the spin of the drum.
TEST(Drum, ledger_closes_with_rolling_friction) {
  auto s = drum<2>(1.0, 4.0);
  PairLaw law{.friction = 0.8};
  law.rolling = 0.1;
  s.laws(law, law);
  s.model.solver = {};
  for (int i = 0; i < 20; ++i) s.ball({{-0.45 + 0.1 * (i % 10), -0.7 + 0.1 * (i / 10)}}, 0.045);
  auto simulation = s.start();
  for (int n = 0; n < 300; ++n) ASSERT_NEAR(simulation.step().energy.error(), 0.0, 1e-9);
  EXPECT_GT(simulation.state().energy.wall_work, 0.1);
}

// A ball that rolls on a turntable runs in a circle at two sevenths of the rate of the table, in the same sense.
TEST(Turntable, ball_rolls_round_a_circle_at_two_sevenths_of_the_rate) {
  const double rate = 2.0, r = 0.1, step = 5e-4;
  Sample<3> s(step, {1.0, 0.0, 0.0});
  Motion<3> turn;
  turn.kind = MotionKind::rotation;
  turn.axis = {{0, 0, 1}}, turn.rate = rate, turn.centre = {{0.3, -0.2, 0}};
  const int motion = s.motion(turn);
  s.floor();
  s.model.walls[0].surface = motion;
  const Vec<3> start{{0.5, 0.1, r}}, v{{0.4, 0, 0}};
  const Vec<3> slip = rigid_velocity(turn, 0.0).at(start) - v;  // what the spin must give to the lowest point
  s.ball(start, r, v, {{slip[1] / r, -slip[0] / r, 0}});
  auto simulation = s.start();
  // Rolling holds at the midpoints, which advance by h v: the step turns the velocity by v <- v + 2/7 h rate z x v, and half as
  // much at first, when rolling held at the start itself.
  const int period = static_cast<int>(std::lround(7.0 * M_PI / rate / step));
  Vec<3> place = start, velocity = v;
  double farthest = 0.0;
  for (int n = 0; n < period; ++n) {
    const Vec<3> before = velocity;
    velocity += (n == 0 ? 0.5 : 1.0) * 2.0 / 7.0 * step * cross(Vec<3>{{0, 0, rate}}, velocity);
    place += 0.5 * step * (before + velocity);
    simulation.step();
    const BodyState<3>& b = simulation.state().bodies.state;
    ASSERT_NEAR(norm(b.velocity[0] - velocity), 0.0, 1e-9);
    ASSERT_NEAR(norm(b.position[0] - place), 0.0, 1e-8);
    farthest = std::max(farthest, norm(b.position[0] - start));
  }
  EXPECT_NEAR(farthest, 2.0 * norm(v) / (2.0 / 7.0 * rate), 2e-3);  // the diameter of the circle
  EXPECT_NEAR(norm(simulation.state().bodies.state.position[0] - start), 0.0, 2e-3);
}

}  // namespace
}  // namespace moreau
