// Walls, pistons and cell in a step: where they are at its middle, what the contacts share, and where they end.
#include "moreau/dynamics/apparatus.hpp"

#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

constexpr double h = 0.01;

// A box of width 2 and height 3; the lid (wall 1) is a piston that moves down.
Sample<2> box(PistonControl control, double target) {
  Sample<2> s(h);
  s.floor().wall(at<2>(0, 3), at<2>(0, -1)).sides(2.0);
  Piston<2> piston;
  piston.walls = {{1, at<2>(0, -1)}};
  piston.control = control, piston.target.mean = target, piston.mass = 4.0;
  s.model.pistons.push_back(piston);
  return s;
}
State<2> state_of(const Sample<2>& s) {
  State<2> state;
  state.pistons.resize(s.model.pistons.size());
  return state;
}

TEST(Apparatus, a_piston_of_given_speed_moves_with_it) {
  const Sample<2> s = box(PistonControl::velocity, 0.5);
  State<2> state = state_of(s);
  Apparatus<2> apparatus;
  apparatus.predict(s.model, state, middle_of_step(s.model, state));
  EXPECT_TRUE(apparatus.motions().empty());
  EXPECT_EQ(apparatus.wall_velocity[1], (Vec<2>{{0, -0.5}}));
  EXPECT_NEAR(apparatus.wall_shift[1][1], -0.5 * 0.5 * h, 1e-18);
  apparatus.update(s.model, state, middle_of_step(s.model, state));
  EXPECT_NEAR(state.pistons[0].displacement, 0.5 * h, 1e-18);
  EXPECT_EQ(apparatus.wall_shift[0], (Vec<2>{}));  // the others stay
}

// h F / M without contacts; a contact feels the lid with minus its direction; what the solution changed is the new speed.
TEST(Apparatus, a_piston_under_force_is_a_motion_that_contacts_share) {
  const Sample<2> s = box(PistonControl::force, 12.0);
  State<2> state = state_of(s);
  state.pistons[0].speed = 0.2;
  Apparatus<2> apparatus;
  apparatus.predict(s.model, state, middle_of_step(s.model, state));
  ASSERT_EQ(apparatus.motions().size(), 1u);
  EXPECT_DOUBLE_EQ(apparatus.motions()[0].inverse_mass, 0.25);
  EXPECT_DOUBLE_EQ(apparatus.motions()[0].free_change, h * 12.0 / 4.0);
  EXPECT_EQ(apparatus.side(1).motion, 0);
  EXPECT_EQ(apparatus.side(1).direction, (Vec<2>{{0, 1}}));
  EXPECT_EQ(apparatus.side(0).motion, -1);
  const double change = -0.05;
  apparatus.note_changes({&change, 1});
  EXPECT_EQ(apparatus.wall_velocity_change(1), (Vec<2>{{0, 0.05}}));
  EXPECT_EQ(apparatus.wall_velocity_change(0), (Vec<2>{}));
  apparatus.update(s.model, state, middle_of_step(s.model, state));
  EXPECT_DOUBLE_EQ(state.pistons[0].speed, 0.15);
  EXPECT_NEAR(state.pistons[0].displacement, 0.5 * h * (0.2 + 0.15), 1e-18);  // the trapezoidal rule
}

// Stress times the distance of the side walls as it is at the middle of the step.
TEST(Apparatus, a_piston_under_stress_knows_the_area_of_its_face) {
  Sample<2> s = box(PistonControl::stress, 5.0);
  s.model.pistons[0].between = {{2, 3}};
  State<2> state = state_of(s);
  Apparatus<2> apparatus;
  apparatus.predict(s.model, state, middle_of_step(s.model, state));
  EXPECT_NEAR(apparatus.motions()[0].free_change, h * 5.0 * 2.0 / 4.0, 1e-16);
}

// Two mirrored walls: the degree of freedom has the mass and the force of both.
TEST(Apparatus, two_walls_of_a_piston_move_as_mirror_images) {
  Sample<2> s = box(PistonControl::force, 12.0);
  s.model.pistons[0].walls = {{2, {{1, 0}}}, {3, {{-1, 0}}}};
  State<2> state = state_of(s);
  state.pistons[0].speed = 0.4;
  Apparatus<2> apparatus;
  apparatus.predict(s.model, state, middle_of_step(s.model, state));
  EXPECT_DOUBLE_EQ(apparatus.motions()[0].inverse_mass, 1.0 / 8.0);
  EXPECT_DOUBLE_EQ(apparatus.motions()[0].free_change, h * 12.0 / 4.0);
  EXPECT_EQ(apparatus.wall_velocity[2], -apparatus.wall_velocity[3]);
}

// On a spring and a dashpot, without contacts: the trapezoidal rule keeps k x^2 + M v^2 without damping, and loses c v^2 h with
// it.
TEST(Apparatus, a_wall_on_a_spring_keeps_its_energy) {
  Sample<2> s = box(PistonControl::force, 0.0);
  s.model.pistons[0].stiffness = 900.0;
  for (const double damping : {0.0, 3.0}) {
    s.model.pistons[0].damping = damping;
    State<2> state = state_of(s);
    PistonState& piston = state.pistons[0];
    piston.displacement = 0.1;
    Apparatus<2> apparatus;
    const auto energy = [&] {
      return 0.5 * 900.0 * piston.displacement * piston.displacement + 0.5 * 4.0 * piston.speed * piston.speed;
    };
    const double start = energy();
    double lost = 0.0;
    for (int n = 0; n < 1000; ++n) {
      const double before = piston.speed;
      apparatus.predict(s.model, state, middle_of_step(s.model, state));
      const double change = apparatus.motions()[0].free_change;
      apparatus.note_changes({&change, 1});
      apparatus.update(s.model, state, middle_of_step(s.model, state));
      const double mean = 0.5 * (before + piston.speed);
      lost += h * damping * mean * mean;
      state.time += h;
    }
    EXPECT_NEAR(energy() + lost, start, 1e-11 * start) << damping;
  }
}

// A cell whose gradient is given: its vectors follow dV/dt = L V with the midpoint rule; one under stress is a motion.
TEST(Apparatus, a_cell_deforms_with_its_gradient) {
  Sample<2> s(h);
  Cell<2>& cell = s.model.cell;
  cell.start.vectors = {{{{2, 0}}, {{0, 3}}}};
  cell.start.periodic[0] = cell.start.periodic[1] = true;
  cell.deforms = true, cell.mass = 7.0;
  cell.component[0][1].target.mean = 0.4;                                     // shear at a given rate
  cell.component[1][1].stress = true, cell.component[1][1].target.mean = 11;  // pressed along y
  State<2> state;
  state.cell.vectors = cell.start.vectors;
  Apparatus<2> apparatus;
  apparatus.predict(s.model, state, middle_of_step(s.model, state));
  EXPECT_DOUBLE_EQ(apparatus.gradient.row[0][1], 0.4);
  EXPECT_DOUBLE_EQ(apparatus.prescribed_change.row[0][1], 0.4);  // the bodies are yet to follow
  ASSERT_EQ(apparatus.cell_motions().size(), 1u);
  EXPECT_EQ(apparatus.cell_motions()[0].p, 1);
  EXPECT_EQ(apparatus.cell_motions()[0].q, 1);
  EXPECT_DOUBLE_EQ(apparatus.motions()[0].inverse_mass, 1.0 / 7.0);
  EXPECT_DOUBLE_EQ(apparatus.motions()[0].free_change, -h * 6.0 * 11.0 / 7.0);
  const double change = apparatus.motions()[0].free_change;
  apparatus.note_changes({&change, 1});
  EXPECT_EQ(apparatus.gradient_change().row[1][1], change);
  apparatus.update(s.model, state, middle_of_step(s.model, state));
  EXPECT_NEAR(state.cell.vectors.row[0][1], 0.5 * h * 0.4 * 3, 1e-15);
  EXPECT_NEAR(state.cell.rate.row[1][1], 3 * change, 1e-15);
  apparatus.predict(s.model, state, middle_of_step(s.model, state));
  EXPECT_NEAR(apparatus.prescribed_change.row[0][1], 0.0, 2e-3);  // the rate is there already
}

}  // namespace
}  // namespace moreau
