// Walls with a degree of freedom, against closed forms.
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

// A piston whose walls move along their normals.
template <int D>
Piston<D> piston(const Model<D>& model, std::vector<std::int32_t> walls, PistonControl control, double target, double mass) {
  Piston<D> p;
  for (std::int32_t w : walls) p.walls.push_back({w, model.walls[static_cast<std::size_t>(w)].geometry.direction});
  p.control = control;
  p.target.mean = target;
  p.mass = mass;
  return p;
}

TEST(Piston, alone_it_accelerates_with_force_over_mass) {
  Sample<2> s(1e-2, {}, {});
  s.wall(at<2>(0, 0), at<2>(1, 0));
  s.model.pistons.push_back(piston<2>(s.model, {0}, PistonControl::force, 3.0, 2.0));
  auto simulation = s.start();
  for (int n = 0; n < 100; ++n) simulation.step();
  EXPECT_NEAR(simulation.state().pistons[0].speed, 1.5, 1e-13);
  EXPECT_NEAR(simulation.state().pistons[0].displacement, 0.75, 1e-13);
}

TEST(Piston, moves_with_the_velocity_asked_for_whatever_it_pushes) {
  Sample<3> s(1e-3, {}, {});
  s.wall(at<3>(0, 0), at<3>(1, 0)).ball(at<3>(1, 0), 0.5);
  s.model.pistons.push_back(piston<3>(s.model, {0}, PistonControl::velocity, 2.0, 0.0));
  auto simulation = s.start();
  for (int n = 0; n < 1000; ++n) simulation.step();
  EXPECT_NEAR(simulation.state().pistons[0].displacement, 2.0, 1e-12);
  EXPECT_NEAR(simulation.state().bodies.state.velocity[0][0], 2.0, 1e-12);
  EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-12);
}

//  |->  o o o o o  |      every contact of the row carries the force of the piston
TEST(Piston, row_of_balls_carries_its_force) {
  for (const double mass : {1e-3, 1.0, 100.0}) {
    Sample<2> s(1e-2, {0.3, 0.0, 0.0}, {});
    s.wall(at<2>(0, 0), at<2>(1, 0)).wall(at<2>(5, 0), at<2>(-1, 0));
    for (int i = 0; i < 5; ++i) s.ball(at<2>(0.5 + i, 0), 0.5 + 1e-12);  // gaps closed beyond rounding
    s.model.pistons.push_back(piston<2>(s.model, {0}, PistonControl::force, 7.0, mass));
    auto simulation = s.start();
    for (int n = 0; n < 20; ++n) EXPECT_TRUE(simulation.step().certificate.converged) << "piston of mass " << mass;
    const auto contacts = simulation.contact_records();
    ASSERT_EQ(contacts.size(), 6u);
    for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(norm(contacts.force[c]), 7.0, 1e-6) << "piston of mass " << mass;
    EXPECT_NEAR(simulation.state().pistons[0].displacement, 0.0, 1e-9);
  }
}

// A piston of mass 3 at speed 2 runs into a ball of mass 1 at rest: 3 x 2 = (3 + 1) v without restitution; with it the ball
// leaves e x 2 faster than the piston goes on.
TEST(Piston, shares_its_momentum_with_what_it_hits) {
  for (const double e : {0.0, 0.5, 1.0}) {
    Sample<3> s(1e-2, {0.0, e, 0.0}, {});
    s.wall(at<3>(0, 0), at<3>(1, 0)).ball(at<3>(0.55, 0), 0.5, {}, {}, 1.0);
    s.model.pistons.push_back(piston<3>(s.model, {0}, PistonControl::force, 0.0, 3.0));
    auto simulation = s.start();
    simulation.mutable_state().pistons[0].speed = 2.0;
    for (int n = 0; n < 30; ++n) simulation.step();
    const double of_piston = simulation.state().pistons[0].speed, of_ball = simulation.state().bodies.state.velocity[0][0];
    EXPECT_NEAR(3 * of_piston + of_ball, 6.0, 1e-12);
    EXPECT_NEAR(of_ball - of_piston, 2.0 * e, 1e-11);
    EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-12);
    EXPECT_NEAR(simulation.state().energy.dissipated, 0.5 * (3.0 * 1.0 / 4.0) * 4.0 * (1 - e * e), 1e-11);
  }
}

// Two walls with one degree of freedom: the ball is not in the middle, so it is hit by one wall first, and both stop together.
TEST(Piston, paired_walls_move_as_mirror_images) {
  Sample<2> s(1e-3, {}, {});
  s.wall(at<2>(-2, 0), at<2>(1, 0)).wall(at<2>(2, 0), at<2>(-1, 0)).ball(at<2>(0.3, 0), 0.5, {}, {}, 1.0);
  s.model.pistons.push_back(piston<2>(s.model, {0, 1}, PistonControl::force, 1.0, 0.5));
  auto simulation = s.start();
  for (int n = 0; n < 10000; ++n) simulation.step();
  const auto contacts = simulation.contact_records();
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_NEAR(simulation.state().pistons[0].displacement, 1.5, 2e-3);
  EXPECT_NEAR(simulation.state().pistons[0].speed, 0.0, 1e-9);
  for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(norm(contacts.force[c]), 1.0, 1e-6);
  EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-11);
}

// A ball in a box pressed in x and y with stress 2 and 3: the forces are stress x the present length of the face.
TEST(Piston, stress_acts_on_the_present_area_of_the_face) {
  Sample<2> s(1e-3, {}, {});
  s.wall(at<2>(-1, 0), at<2>(1, 0))
      .wall(at<2>(1, 0), at<2>(-1, 0))
      .wall(at<2>(0, -2), at<2>(0, 1))
      .wall(at<2>(0, 2), at<2>(0, -1));
  s.ball(at<2>(0, 0), 0.5, {}, {}, 1.0);
  s.model.pistons.push_back(piston<2>(s.model, {0, 1}, PistonControl::stress, 2.0, 1.0));
  s.model.pistons.push_back(piston<2>(s.model, {2, 3}, PistonControl::stress, 3.0, 1.0));
  s.model.pistons[0].between = {{2, 3}}, s.model.pistons[1].between = {{0, 1}};
  auto simulation = s.start();
  for (int n = 0; n < 10000; ++n) simulation.step();
  const auto contacts = simulation.contact_records();
  ASSERT_EQ(contacts.size(), 4u);
  for (std::size_t c = 0; c < 4; ++c) {
    const bool across = std::abs(contacts.normal[c][0]) > 0.5;
    EXPECT_NEAR(norm(contacts.force[c]), across ? 2.0 * 1.0 : 3.0 * 1.0, 1e-2);  // the sides are a diameter apart up to h v
  }
}

// A plate driven along itself by a force F drags the ball below it: friction mu N < F would slide, here it sticks.
//      ====> F      plate pressed down with N
//       o
//   ----------
TEST(Piston, can_be_driven_along_its_face) {
  Sample<2> s(1e-3, {0.5, 0.0, 0.0}, {});
  s.floor().wall(at<2>(0, 1), at<2>(0, -1)).ball(at<2>(0, 0.5), 0.5, {}, {}, 1.0);
  s.model.pistons.push_back(piston<2>(s.model, {1}, PistonControl::force, 0.3, 2.0));
  s.model.pistons[0].walls[0].direction = at<2>(1, 0);
  auto simulation = s.start();
  for (int n = 0; n < 100; ++n) simulation.step();
  // Nothing presses the ball on the plate: it slips freely and the plate accelerates alone.
  EXPECT_NEAR(simulation.state().pistons[0].speed, 0.1 * 0.3 / 2.0, 1e-12);
  EXPECT_NEAR(simulation.state().bodies.state.velocity[0][0], 0.0, 1e-12);
}

// A heap of discs in a box pressed from above: the piston has more contacts than there are colours.
TEST(Piston, light_piston_on_many_contacts_converges_and_is_the_same_on_any_number_of_threads) {
  Sample<2> s(1e-2, {0.3, 0.0, 0.0}, at<2>(0, -0.1));
  s.floor().wall(at<2>(0, 2), at<2>(0, -1));
  for (int i = 0; i < 150; ++i)
    for (int j = 0; j < 2; ++j) s.ball(at<2>(i, 0.5 + j), 0.5, {}, {}, 1.0);
  s.model.pistons.push_back(piston<2>(s.model, {1}, PistonControl::force, 75.0, 1.0));
  auto simulation = s.start();
  for (int n = 0; n < 10; ++n) ASSERT_TRUE(simulation.step().certificate.converged);
  double on_piston = 0.0, on_floor = 0.0;
  const auto contacts = simulation.contact_records();
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (contacts.b[c] == ~0) on_floor += contacts.force[c][1];
    if (contacts.b[c] == ~1) on_piston -= contacts.force[c][1];
  }
  EXPECT_NEAR(on_piston, 75.0, 1e-6);
  EXPECT_NEAR(on_floor, 75.0 + 300 * 0.1, 1e-6);
}

}  // namespace
}  // namespace moreau
