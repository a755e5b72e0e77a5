// All stages of a step on a card have the bits of the processor, and what it cannot do is made by the processor.
#include "gpu/story.hpp"
#include "moreau/base/random.hpp"
#include "moreau/engines/rigid/card_steps.hpp"
#include "physics/block_sample.hpp"

namespace moreau::gpu {
namespace {

using namespace sample;

constexpr double spacing = 1e-2;

// A box in which grains of radii between `low` and 0.99 times half the spacing fall.
template <int D>
Sample<D> box(ContactRule rule, double low, PairLaw law = {.friction = 0.4}) {
  RandomStream random(3);
  Sample<D> s(1e-3, law);
  s.model.rule = rule;
  s.model.solver = {};
  const int across = D == 2 ? 20 : 6;
  s.sides(across * spacing), s.floor();
  fill_lattice<D>(s, random, D == 2 ? 500 : 432, across, spacing, low, 0.99, 0.0, 0.1);
  return s;
}

// The same without sides: periodic, on a slope, thrown about.
template <int D>
Sample<D> periodic_box(ContactRule rule, double time_step) {
  RandomStream random(4);
  Sample<D> s(time_step, {.friction = 0.4}, at<D>(g, -g));
  s.model.rule = rule;
  s.model.solver = {};
  const int across = D == 2 ? 20 : 6;
  s.floor();
  fill_lattice<D>(s, random, D == 2 ? 500 : 432, across, spacing, 0.7, 0.99, 0.0, 0.1);
  Lattice<D>& cell = s.model.cell.start;
  for (int d = 0; d < D; ++d) cell.vectors.row[d][d] = across * spacing, cell.periodic[d] = d < D - 1;
  if constexpr (D == 3) cell.vectors.row[0][1] = 0.4 * across * spacing;
  return s;
}

TEST(StepsOnACard, have_the_bits_of_the_processor_in_space) {
  EXPECT_GE(compared_steps(box<3>(ContactRule::predictive, 0.7), 120, 25), 15);
  EXPECT_GE(compared_steps(box<3>(ContactRule::midpoint, 0.7), 120, 25), 20);
}
TEST(StepsOnACard, have_the_bits_of_the_processor_in_the_plane) {
  EXPECT_GE(compared_steps(box<2>(ContactRule::predictive, 0.7), 120, 25), 15);
  EXPECT_GE(compared_steps(box<2>(ContactRule::midpoint, 0.7), 120, 25), 20);
}

// Ratios of radii up to 50: seven levels of cells.
TEST(StepsOnACard, have_the_bits_of_the_processor_for_bodies_of_all_sizes) {
  Sample<2> discs = box<2>(ContactRule::predictive, 0.02);
  Sample<3> balls = box<3>(ContactRule::predictive, 0.02);
  discs.model.solver.finish = balls.model.solver.finish = false;  // else each of their steps is finished as a structure
  EXPECT_GE(compared_steps(discs, 201, 12), 6);
  EXPECT_GE(compared_steps(balls, 201, 12), 5);
}

TEST(StepsOnACard, have_the_bits_of_the_processor_where_contacts_bounce) {
  EXPECT_GE(compared_steps(box<3>(ContactRule::midpoint, 0.7, {0.3, 0.6, 0.2}), 80, 25), 20);
}

// Cohesion of about the weight of a grain, a cap of some, rolling and pivoting, static friction, coefficients that depend on speeds.
template <int D>
constexpr double weight = D == 2 ? 6e-4 : 4e-6;
template <int D>
PairLaw cohesive() {
  return {.friction = 0.4, .cohesion = weight<D>};
}
template <int D>
PairLaw capped() {
  return {.friction = 0.6, .friction_cap = 2.0 * weight<D>};
}
PairLaw rolling() { return {.friction = 0.5, .rolling = 0.2, .pivoting = 0.1}; }
PairLaw of_speeds() {
  PairLaw law{.friction = 0.3, .static_friction = 0.5, .static_speed = 0.02};
  law.friction_at_speed = {{0.02, 0.1, 0.3}, {0.4, 0.3, 0.2}};
  law.restitution_at_speed = {{0.05, 0.5}, {0.0, 0.4}};
  return law;
}
template <int D>
Sample<D> box_of(ContactRule rule, const PairLaw& law, const PairLaw& with_walls) {
  Sample<D> s = box<D>(rule, 0.7, law);
  s.laws(law, with_walls);
  return s;
}
TEST(StepsOnACard, have_the_bits_of_the_processor_under_laws_beyond_coulombs) {
  EXPECT_GE(compared_steps(box_of<2>(ContactRule::predictive, cohesive<2>(), cohesive<2>()), 120, 25), 15);
  EXPECT_GE(compared_steps(box_of<3>(ContactRule::midpoint, cohesive<3>(), {.friction = 0.4}), 120, 25), 15);
  EXPECT_GE(compared_steps(box_of<2>(ContactRule::midpoint, capped<2>(), capped<2>()), 120, 20), 12);
  EXPECT_GE(compared_steps(box_of<3>(ContactRule::predictive, of_speeds(), of_speeds()), 120, 25), 12);
}
TEST(StepsOnACard, have_the_bits_of_the_processor_where_bodies_resist_rolling) {
  EXPECT_GE(compared_steps(box_of<2>(ContactRule::predictive, rolling(), rolling()), 120, 25), 12);
  EXPECT_GE(compared_steps(box_of<3>(ContactRule::midpoint, rolling(), rolling()), 120, 25), 12);
}
// All kinds of contact in one problem: law by law, by what meets.
TEST(StepsOnACard, have_the_bits_of_the_processor_where_laws_are_mixed) {
  Sample<3> s = box_of<3>(ContactRule::predictive, cohesive<3>(), rolling());
  for (std::size_t i = 0; i < s.bodies.size(); i += 3) s.bodies.parameters.material[i] = walls;
  s.model.pair_laws = {cohesive<3>(), {.friction = 0.3}, {.friction = 0.3}, rolling()};
  s.model.walls.back().surface = s.motion(steady<3>({{0.0, 0.05, 0.0}}));
  EXPECT_GE(compared_steps(s, 120, 25), 15);
  Sample<2> slope = periodic_box<2>(ContactRule::predictive, 1e-3);
  slope.laws(rolling(), cohesive<2>());
  EXPECT_GE(compared_steps(slope, 320, 20), 12);
}
// A shaken floor, a belt, a wall that turns within itself, fixed and driven bodies, one of which turns about an axis.
TEST(StepsOnACard, have_the_bits_of_the_processor_among_moving_walls_and_bodies) {
  Sample<3> s = box<3>(ContactRule::predictive, 0.7);
  s.model.walls.back().motion = s.motion(shaken<3>({{0.0, 0.0, 5e-4}}, 5.0, 0.3));
  s.model.walls[0].surface = s.motion(steady<3>({{0.0, 0.02, 0.0}}));
  Motion<3> turning;
  turning.kind = MotionKind::rotation, turning.axis = {{0.0, 0.0, 1.0}}, turning.rate = 0.3;
  turning.centre = {{0.03, 0.03, 0.0}};
  const int turn = s.motion(turning);
  s.cylinder(0.08);
  s.model.walls.back().surface = turn;
  const auto hold = [&](std::size_t body, int motion) {
    s.bodies.parameters.kind[body] = motion < 0 ? BodyKind::fixed : BodyKind::driven;
    s.bodies.parameters.motion[body] = motion;
    s.bodies.state.velocity[body] = {};
  };
  hold(50, -1), hold(130, s.motion(steady<3>({{0.01, 0.0, 0.01}}))), hold(85, turn);
  EXPECT_GE(compared_steps(s, 121, 25), 12);
}

// Bodies are put in order, and all contacts coloured, anew.
TEST(StepsOnACard, have_the_bits_of_the_processor_when_bodies_are_put_in_order) {
  Sample<2> s = box<2>(ContactRule::midpoint, 0.7);
  s.model.solver.finish = false;  // else the error is looked at in that step
  EXPECT_EQ(compared_steps(s, 495, 10), 10);
}

TEST(StepsOnACard, go_on_when_grains_are_poured) {
  Sample<2> s = box<2>(ContactRule::predictive, 0.7);
  Source<2> source;
  source.rate = 300.0, source.density = 1.0, source.centre = at<2>(0.1, 0.5), source.spread = 0.05;
  source.sizes.kind = SizeDistribution::Kind::uniform, source.sizes.low = 3e-3, source.sizes.high = 5e-3;
  s.model.sources = {source};
  EXPECT_GE(compared_steps(s, 60, 25), 8);
}

TEST(StepsOnACard, let_bodies_leave_and_come) {
  Sample<3> s = box<3>(ContactRule::predictive, 0.7);
  Sink<3> hole, lid;
  hole.shape = Sink<3>::Shape::ball, hole.centre = {{0.03, 0.03, 0.0}}, hole.radius = 0.012;
  lid.shape = Sink<3>::Shape::half_space, lid.point = {{0.0, 0.0, 0.11}}, lid.direction = {{0.0, 0.0, 1.0}};
  s.model.sinks = {hole, lid};
  Source<3> source;
  source.rate = 200.0, source.density = 1.0, source.centre = {{0.03, 0.03, 0.0}}, source.spread = 0.02;
  source.sizes.kind = SizeDistribution::Kind::uniform, source.sizes.low = 3e-3, source.sizes.high = 5e-3;
  s.model.sources = {source};
  EXPECT_GE(compared_steps(s, 81, 30), 12);
}

// A large ball among more small ones than there are colours: made by the processor.
TEST(StepsOnACard, leave_what_they_cannot_do_to_the_processor) {
  Sample<2> s(1e-3, {.friction = 0.3});
  s.model.solver = {};
  s.floor();
  s.ball(at<2>(0.0, 1.0), 1.0, {}, {}, 100.0);
  for (int k = 0; k < 160; ++k) {
    const double angle = 2.0 * 3.14159265358979 * (k + 0.5) / 160;
    s.ball({{1.018 * std::cos(angle), 1.0 + 1.018 * std::sin(angle)}}, 0.019, {{-0.5 * std::cos(angle), -0.5 * std::sin(angle)}},
           {}, 1e-3);
  }
  compared_steps(s, 1, 10);
  s.model.damping = 1.0;  // what was damped there is not damped twice
  compared_steps(s, 1, 10);
  // A body that could reach others through more than the next copy of a cell.
  Sample<2> narrow = periodic_box<2>(ContactRule::predictive, 1e-3);
  narrow.obstacle(at<2>(0.0, 2.0), 0.01, narrow.motion(steady<2>(at<2>(60.0, 0.0))));
  EXPECT_EQ(compared_steps(narrow, 320, 3), 0);
}

// Grains flow down a slope and through the sides of the cell; in space it is skewed.
TEST(StepsOnACard, have_the_bits_of_the_processor_in_a_periodic_cell) {
  EXPECT_GE(compared_steps(periodic_box<2>(ContactRule::predictive, 1e-3), 320, 25), 15);
  EXPECT_GE(compared_steps(periodic_box<2>(ContactRule::midpoint, 1e-3), 320, 25), 15);
  EXPECT_GE(compared_steps(periodic_box<3>(ContactRule::predictive, 1e-3), 220, 25), 15);
}

// Grains without weight in a cell that is periodic all around: squeezed at given rates, or by stresses, and sheared.
template <int D>
Sample<D> deforming_cell(ContactRule rule, bool by_stress, bool sheared, int across = D == 2 ? 20 : 8) {
  RandomStream random(6);
  Sample<D> s(1e-3, {.friction = 0.4}, Vec<D>{});
  s.model.rule = rule;
  s.model.solver = {};
  const double width = across * spacing;
  fill_lattice<D>(s, random, D == 2 ? across * across : across * across * across, across, spacing, 0.7, 0.99, 0.0, 0.1);
  Cell<D>& cell = s.model.cell;
  for (int d = 0; d < D; ++d) cell.start.vectors.row[d][d] = width, cell.start.periodic[d] = true;
  cell.deforms = true;
  for (const double m : s.bodies.parameters.mass) cell.mass += m * width * width;
  for (int d = 0; d < D; ++d) {
    cell.component[d][d].stress = by_stress;
    cell.component[d][d].target.mean = by_stress ? (D == 2 ? 0.5 : 0.05) * (1.0 + 0.3 * d) : -0.75 + 0.1 * d;
  }
  if (sheared) cell.component[0][1].target.mean = by_stress ? 2.0 : 1.0;
  return s;
}
TEST(StepsOnACard, have_the_bits_of_the_processor_in_a_cell_that_deforms) {
  EXPECT_GE(compared_steps(deforming_cell<2>(ContactRule::predictive, false, true), 222, 15), 10);
  EXPECT_GE(compared_steps(deforming_cell<3>(ContactRule::predictive, false, false), 205, 15), 10);
}
TEST(StepsOnACard, have_the_bits_of_the_processor_in_a_cell_under_stresses) {
  EXPECT_GE(compared_steps(deforming_cell<2>(ContactRule::predictive, true, true), 160, 25), 15);
  EXPECT_GE(compared_steps(deforming_cell<3>(ContactRule::midpoint, true, false), 160, 25), 15);
  EXPECT_GE(compared_steps(deforming_cell<2>(ContactRule::midpoint, true, true, 32), 170, 12), 9);  // in single precision too
  Sample<3> rough = deforming_cell<3>(ContactRule::predictive, true, true);
  rough.laws(rolling(), rolling());
  rough.model.damping = 2.0;
  EXPECT_GE(compared_steps(rough, 160, 25), 12);
}

TEST(StepsOnACard, have_the_bits_of_the_processor_with_drag_and_tilting_gravity) {
  Sample<2> damped = box<2>(ContactRule::midpoint, 0.7);
  damped.model.damping = 5.0;
  EXPECT_GE(compared_steps(damped, 100, 20), 12);
  Sample<3> tilted = box<3>(ContactRule::predictive, 0.7);
  tilted.model.tilt = {0.0, 0.5, 2.0, 0.05, {{0.0, 1.0, 0.0}}};
  EXPECT_GE(compared_steps(tilted, 110, 20), 10);
}

// A lid pressed by twice the weight of the grains, and a side pressed by a stress, on a spring and a dashpot; their masses in
// units of that of the grains.
template <int D>
Sample<D> pressed(ContactRule rule, double mass) {
  Sample<D> s = box<D>(rule, 0.7);
  double grains = 0.0;
  for (const double m : s.bodies.parameters.mass) grains += m;
  s.wall(at<D>(0.0, (D == 2 ? 26 : 13) * spacing), at<D>(0.0, -1.0));
  Piston<D> lid, side;
  lid.control = PistonControl::force, lid.walls = {{static_cast<std::int32_t>(s.model.walls.size()) - 1, at<D>(0.0, -1.0)}};
  lid.mass = side.mass = mass * grains, lid.target.mean = 2.0 * grains * g;
  side.control = PistonControl::stress, side.walls = {{1, at<D>(-1.0, 0.0)}}, side.target.mean = grains * g;
  side.stiffness = 1e4 * grains, side.damping = 20.0 * grains;
  s.model.pistons = {lid, side};
  return s;
}
TEST(StepsOnACard, have_the_bits_of_the_processor_under_pistons) {
  EXPECT_GE(compared_steps(pressed<2>(ContactRule::predictive, 0.3), 100, 20), 10);
  EXPECT_GE(compared_steps(pressed<2>(ContactRule::midpoint, 0.02), 101, 20), 10);
  EXPECT_GE(compared_steps(pressed<3>(ContactRule::predictive, 0.1), 100, 20), 10);
  Sample<2> rough = pressed<2>(ContactRule::predictive, 0.3);
  rough.laws(rolling(), cohesive<2>());
  EXPECT_GE(compared_steps(rough, 100, 20), 10);
  Sample<3> damped = pressed<3>(ContactRule::midpoint, 1.0);
  damped.model.damping = 2.0;
  EXPECT_GE(compared_steps(damped, 101, 20), 10);
}

TEST(StepsOnACard, say_what_they_do_not_take) {
  Sample<3> s = box<3>(ContactRule::midpoint, 0.7);
  EXPECT_EQ(what_no_card_takes(s.model, s.bodies), "");
  s.model.pair_laws[0].rolling = 0.1;
  EXPECT_EQ(what_no_card_takes(s.model, s.bodies), "");
  s.model.pair_laws[0].joint.cohesion = 1.0;
  EXPECT_EQ(what_keeps_steps_here(s.model, s.bodies), "joints between bodies");
  s.model.pair_laws[0].joint.cohesion = 0.0, s.model.pair_laws[0].cross_friction = 0.1;
  EXPECT_EQ(what_no_card_takes(s.model, s.bodies), "friction that depends on the direction");
  s.model.pair_laws[0].cross_friction = 0.0;
  add_box<3>(s, {{0.01, 0.01, 0.01}}, {{1.0, 1.0, 1.0}});
  EXPECT_EQ(what_keeps_steps_here(s.model, s.bodies), "a law beyond Coulomb's beside bodies that are not round");
  EXPECT_EQ(what_no_card_takes(s.model, s.bodies), "a law beyond Coulomb's between bodies that are not round");
  s.model.pair_laws[0].rolling = 0.0, s.model.pair_laws[0].static_friction = 0.6, s.model.pair_laws[0].static_speed = 0.01;
  EXPECT_EQ(what_keeps_steps_here(s.model, s.bodies), "a law beyond Coulomb's beside bodies that are not round");
  EXPECT_EQ(what_no_card_takes(s.model, s.bodies), "");  // but the sweeps
  s.model.pair_laws[0].static_speed = 0.0;
  EXPECT_EQ(what_keeps_steps_here(s.model, s.bodies), "");
  s.model.cell.deforms = true;
  EXPECT_EQ(what_no_card_takes(s.model, s.bodies), "bodies that are not round in a periodic cell that deforms");
  s.model.engine = EngineKind::soft;
  EXPECT_NE(what_no_card_takes(s.model, s.bodies).find("engine"), std::string::npos);
}

// A state that is asked for, and changed, between steps.
TEST(StepsOnACard, see_what_is_changed_between_them) {
  choose(Device::processor);
  const Sample<3> s = box<3>(ContactRule::midpoint, 0.7);
  Simulation<3> here = s.start(5);
  for (int n = 0; n < 101; ++n) here.step();
  choose(Device::imitation);
  Simulation<3> there(s.model, here.state());
  there.step();
  choose(Device::processor);
  here.step();
  for (Simulation<3>* simulation : {&here, &there}) {
    simulation->mutable_state().bodies.state.velocity[7] = {{1.0, 0.5, 2.0}};
    simulation->step();
    simulation->step();
    simulation->changed_by_hand();
    simulation->step();
  }
  EXPECT_EQ(state_hash(here.state()), state_hash(there.state()));
}

}  // namespace
}  // namespace moreau::gpu
