// An obstacle that starts, or jumps to another speed, in contact with bodies: they go on with its speed, not faster.
//
//   wall | o        at rest until T, then V       o moves with V (restitution 0) or 2 V (1), and stays at the wall
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

constexpr double radius = 0.1, speed = 1.0;

Motion<2> from_time(double start, double last, Vec<2> velocity) {
  Motion<2> m;
  m.kind = MotionKind::table;
  m.times = {start, last}, m.positions = {{}, (last - start) * velocity};
  return m;
}

Sample<2> pushed(double h, double restitution, const Motion<2>& motion, Vec<2> gravity = {}) {
  Sample<2> s(h, {0.3, restitution, 0.0}, gravity);
  s.model.rule = ContactRule::predictive;
  s.wall({}, at<2>(1, 0), s.motion(motion)).ball(at<2>(radius, 0), radius);
  return s;
}
Vec<2> velocity_after(Simulation<2>& simulation, int steps, std::size_t body = 0) {
  for (int k = 0; k < steps; ++k) simulation.step();
  return simulation.state().bodies.state.velocity[body];
}
double gap_to_wall(const Simulation<2>& s, std::size_t body = 0) {
  return s.state().bodies.state.position[body][0] - s.state().bodies.parameters.radius[body] -
         wall_shifts(s.model(), s.state())[0][0];
}

TEST(StartedObstacle, wall_of_constant_velocity_does_not_throw_what_it_touches) {
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    auto simulation = pushed(h, 0.0, steady(at<2>(speed, 0))).start();
    EXPECT_NEAR(velocity_after(simulation, 200)[0], speed, 1e-9) << h;
    EXPECT_NEAR(gap_to_wall(simulation), 0.0, 1e-9) << h;
    auto bouncing = pushed(h, 1.0, steady(at<2>(speed, 0))).start();
    EXPECT_NEAR(velocity_after(bouncing, 200)[0], 2 * speed, 1e-9) << h;
  }
}

// The jump lies anywhere in a step.
TEST(StartedObstacle, table_that_starts_within_a_step_does_not_either) {
  const double h = 1e-3;
  for (const double part : {0.0, 0.1, 0.4, 0.5, 0.6, 0.75, 0.99}) {
    auto simulation = pushed(h, 0.0, from_time((20 + part) * h, 1.0, at<2>(speed, 0))).start();
    EXPECT_NEAR(velocity_after(simulation, 200)[0], speed, 1e-9) << part;
    EXPECT_NEAR(gap_to_wall(simulation), 0.0, 1e-9) << part;
  }
}

// A body nearer than the wall comes in half a step is reached within the step after, and no faster.
TEST(StartedObstacle, body_a_little_ahead_of_the_wall_is_caught_up) {
  const double h = 1e-3;
  for (const double ahead : {1e-5, 1e-4, 4e-4, 9e-4, 2e-3}) {
    Sample<2> s(h, {}, {});
    s.model.rule = ContactRule::predictive;
    s.wall({}, at<2>(1, 0), s.motion(steady(at<2>(speed, 0)))).ball(at<2>(radius + ahead, 0), radius);
    auto simulation = s.start();
    EXPECT_NEAR(velocity_after(simulation, 100)[0], speed, 1e-9) << ahead;
    EXPECT_NEAR(gap_to_wall(simulation), 0.0, 1e-9) << ahead;
  }
}

TEST(StartedObstacle, piston_driven_body_and_row_alike) {
  const double h = 1e-3;
  Sample<2> pressed(h, {}, {});
  pressed.model.rule = ContactRule::predictive;
  pressed.wall({}, at<2>(1, 0)).ball(at<2>(radius, 0), radius);
  Piston<2> piston;
  piston.walls = {{0, at<2>(1, 0)}};
  piston.control = PistonControl::velocity, piston.target.mean = speed;
  pressed.model.pistons.push_back(piston);
  auto by_piston = pressed.start();
  EXPECT_NEAR(velocity_after(by_piston, 100)[0], speed, 1e-9);
  EXPECT_NEAR(gap_to_wall(by_piston), 0.0, 1e-9);

  Sample<2> struck(h, {}, {});
  struck.model.rule = ContactRule::predictive;
  struck.obstacle({}, radius, struck.motion(steady(at<2>(speed, 0)))).ball(at<2>(2 * radius, 0), radius);
  auto by_body = struck.start();
  EXPECT_NEAR(velocity_after(by_body, 100, 1)[0], speed, 1e-9);

  Sample<2> row(h, {0.3, 0.0, 0.0}, {});
  row.model.rule = ContactRule::predictive;
  row.wall({}, at<2>(1, 0), row.motion(steady(at<2>(speed, 0))));
  for (int k = 0; k < 5; ++k) row.ball(at<2>((2 * k + 1) * radius, 0), radius);
  auto all = row.start();
  velocity_after(all, 100);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(all.state().bodies.state.velocity[k][0], speed, 1e-7) << k;
}

// A plate under a ball at rest starts upwards: they stay together, and the ledger closes.
TEST(StartedObstacle, plate_that_starts_upwards_keeps_its_ball) {
  for (const double h : {1e-3, 1e-4}) {
    Sample<2> s(h, {0.3, 0.0, 0.0});
    s.model.rule = ContactRule::predictive;
    s.wall({}, at<2>(0, 1), s.motion(from_time(0.1, 1.1, at<2>(0, 5)))).ball(at<2>(0, radius), radius);
    auto simulation = s.start();
    double apart = 0.0;
    while (simulation.state().time < 0.5) {
      simulation.step();
      apart =
          std::max(apart, std::abs(height(simulation, 0) - radius - wall_shifts(simulation.model(), simulation.state())[0][1]));
    }
    EXPECT_LT(apart, 1e-7) << h;
    const EnergyLedger& energy = simulation.state().energy;
    EXPECT_NEAR(energy.error(), 0.0, 1e-12 * energy.wall_work) << h;
  }
}

// A floor that descends and stops does not throw up what rides on it; what flies beside is left on its parabola.
TEST(StartedObstacle, floor_that_stops_does_not_throw) {
  const double h = 1e-3;
  Sample<2> s(h, {0.3, 0.0, 0.0});
  s.model.rule = ContactRule::predictive;
  s.wall({}, at<2>(0, 1), s.motion(from_time(0.0, 0.1, at<2>(0, -0.5)))).ball(at<2>(0, radius), radius).ball(at<2>(1, 2), radius);
  auto simulation = s.start();
  double fastest = 0.0;
  while (simulation.state().time < 0.2) {
    simulation.step();
    fastest = std::max(fastest, simulation.state().bodies.state.velocity[0][1]);
  }
  EXPECT_LT(fastest, 1e-6);
  EXPECT_NEAR(height(simulation, 0), radius - 0.05, 1e-6);
  const double t = simulation.state().time;
  EXPECT_NEAR(height(simulation, 1), 2 - 0.5 * g * t * t, 1e-12);
  EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-12);
}

}  // namespace
}  // namespace moreau
