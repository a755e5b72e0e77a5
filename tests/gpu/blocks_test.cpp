// Whole steps of blocks, and of balls among them, on a card have the bits of the processor.
#include <type_traits>

#include "gpu/story.hpp"
#include "moreau/base/random.hpp"
#include "moreau/engines/rigid/card_steps.hpp"
#include "moreau/geometry/random_rotation.hpp"
#include "physics/block_sample.hpp"

namespace moreau::gpu {
namespace {

using namespace sample;

constexpr double spacing = 1e-2;

// Blocks thrown about as they fall, turned at random; some of the bodies are balls.
template <int D, class Add>
Sample<D> falling(ContactRule rule, double share_of_balls, int across, int count, Add add) {
  RandomStream random(12);
  Sample<D> s(1e-3, {.friction = 0.4});
  s.model.solver = {.finish = false};
  s.model.rule = rule;
  for (int k = 0; k < count; ++k) {
    Vec<D> x{};
    for (int d = 0, rest = k; d < D; ++d) x[d] = ((d + 1 < D ? rest % across : rest) + 0.5) * spacing, rest /= across;
    if (random.uniform(0, 1) < share_of_balls)
      s.ball(x, 0.45 * spacing, {}, {}, ball_mass<D>(0.45 * spacing, 1.0));
    else
      add(s, random, x);
    for (int d = 0; d < D; ++d) s.bodies.state.velocity.back()[d] = random.uniform(-0.05, 0.05);
    for (int d = 0; d < spin_dimension<D>; ++d) s.bodies.state.spin.back()[d] = random.uniform(-5.0, 5.0);
  }
  return s;
}
template <int D>
void add_brick(Sample<D>& s, RandomStream& random, const Vec<D>& x) {
  Vec<D> sides;
  for (int d = 0; d < D; ++d) sides[d] = spacing * random.uniform(0.4, 0.56);
  add_box<D>(s, sides, x, random_rotation(random, Rotation<D>{}));
}
template <int D>
constexpr int count = D == 2 ? 500 : 252;
template <int D>
constexpr int across = D == 2 ? 20 : 6;
template <int D>
Sample<D> box_of_bricks(ContactRule rule, double share_of_balls) {
  Sample<D> s = falling<D>(rule, share_of_balls, across<D>, count<D>, add_brick<D>);
  s.sides(across<D> * spacing), s.floor();
  return s;
}

TEST(StepsOfBlocksOnACard, have_the_bits_of_the_processor_in_space) {
  EXPECT_GE(compared_steps(box_of_bricks<3>(ContactRule::midpoint, 0.0), 110, 12), 10);
  EXPECT_GE(compared_steps(box_of_bricks<3>(ContactRule::predictive, 0.0), 110, 12), 10);
}
TEST(StepsOfBlocksOnACard, have_the_bits_of_the_processor_in_the_plane) {
  EXPECT_GE(compared_steps(box_of_bricks<2>(ContactRule::midpoint, 0.0), 150, 12), 8);
  EXPECT_GE(compared_steps(box_of_bricks<2>(ContactRule::predictive, 0.0), 150, 12), 8);
}
TEST(StepsOfBlocksOnACard, have_the_bits_of_the_processor_with_balls_among_them) {
  EXPECT_GE(compared_steps(box_of_bricks<3>(ContactRule::midpoint, 0.4), 110, 12), 8);
  EXPECT_GE(compared_steps(box_of_bricks<3>(ContactRule::predictive, 0.4), 110, 12), 8);
  EXPECT_GE(compared_steps(box_of_bricks<2>(ContactRule::predictive, 0.4), 150, 12), 8);
}


// Steps that are estimated and finished, which takes what the solver asks of contacts between faces.
TEST(StepsOfBlocksOnACard, have_the_bits_of_the_processor_where_the_error_is_looked_at) {
  for (const double share_of_balls : {0.0, 0.3}) {
    Sample<3> blocks = box_of_bricks<3>(ContactRule::predictive, share_of_balls);
    Sample<2> plane = box_of_bricks<2>(ContactRule::predictive, share_of_balls);
    blocks.model.solver.finish = plane.model.solver.finish = true;
    EXPECT_GE(compared_steps(blocks, 110, 4), 3);
    EXPECT_GE(compared_steps(plane, 150, 4), 3);
  }
}

// Heavy bodies that arrive at a bed at five metres a second, one in each step, and throw blocks against others of which the step
// knew nothing when it began.
template <int D>
Sample<D> bed_under_fire(double share_of_balls, int before) {
  Sample<D> s = box_of_bricks<D>(ContactRule::predictive, share_of_balls);
  RandomStream random(5);
  for (int k = 0; k < 20; ++k) {
    const double t = (before + k) * s.model.time_step;
    Vec<D> x{}, v{}, sides;
    for (int d = 0; d < D; ++d) sides[d] = 0.5 * spacing;
    for (int d = 0; d < D - 1; ++d) x[d] = (1.0 + random.uniform(0.0, across<D> - 2.0)) * spacing;
    x[D - 1] = (D == 2 ? 0.1 : 0.025) + 5.0 * t + 0.5 * g * t * t, v[D - 1] = -5.0;
    add_box<D>(s, sides, x, random_rotation(random, Rotation<D>{}), 50.0);
    s.bodies.state.velocity.back() = v;
  }
  return s;
}
TEST(StepsOfBlocksOnACard, have_the_bits_of_the_processor_where_blows_bring_contacts_about) {
  EXPECT_GE(compared_steps(bed_under_fire<3>(0.3, 110), 110, 8), 6);
  EXPECT_GE(compared_steps(bed_under_fire<2>(0.3, 150), 150, 8), 6);
}

// A shaken floor, a belt, a wall that turns within itself; fixed and driven blocks, one of which turns about an axis, among balls
// and blocks.
template <int D>
Sample<D> among_obstacles(ContactRule rule) {
  Sample<D> s = box_of_bricks<D>(rule, 0.3);
  Vec<D> shake{}, along{};
  shake[D - 1] = 5e-4, along[0] = 0.02;
  s.model.walls.back().motion = s.motion(shaken<D>(shake, 5.0, 0.3));
  s.model.walls[0].surface = s.motion(steady<D>(along));
  Motion<D> turning;
  turning.kind = MotionKind::rotation, turning.axis[spin_dimension<D> - 1] = 1.0, turning.rate = 0.7;
  turning.centre[0] = turning.centre[D - 1] = 0.03;
  const int turn = s.motion(turning), straight = s.motion(steady<D>(along));
  const auto hold = [&](std::size_t body, int motion) {
    s.bodies.parameters.kind[body] = motion < 0 ? BodyKind::fixed : BodyKind::driven;
    s.bodies.parameters.motion[body] = motion;
    s.bodies.state.velocity[body] = {}, s.bodies.state.spin[body] = {};
  };
  for (std::size_t i = 0; i < 24; i += 4) hold(i + 40, -1), hold(i + 41, straight), hold(i + 42, turn);
  return s;
}
TEST(StepsOfBlocksOnACard, have_the_bits_of_the_processor_among_obstacles_that_move) {
  EXPECT_GE(compared_steps(among_obstacles<3>(ContactRule::predictive), 111, 12), 8);
  EXPECT_GE(compared_steps(among_obstacles<3>(ContactRule::midpoint), 111, 12), 8);
  EXPECT_GE(compared_steps(among_obstacles<2>(ContactRule::predictive), 151, 12), 8);
}
TEST(StepsOfBlocksOnACard, have_the_bits_of_the_processor_inside_a_cylinder_with_drag_and_restitution) {
  Sample<3> s = box_of_bricks<3>(ContactRule::midpoint, 0.2);
  s.cylinder(0.035);
  s.model.walls.back().geometry.point = {{0.03, 0.03, 0.0}};
  s.model.damping = 3.0;
  s.laws({.friction = 0.3, .normal_restitution = 0.4, .tangential_restitution = 0.1}, {.friction = 0.5});
  EXPECT_GE(compared_steps(s, 110, 12), 8);
}

// A lid pressed by twice the weight of the bodies, and a side by a stress.
template <int D>
Sample<D> pressed(ContactRule rule) {
  Sample<D> s = box_of_bricks<D>(rule, 0.3);
  double bodies = 0.0;
  for (const double m : s.bodies.parameters.mass) bodies += m;
  s.wall(at<D>(0.0, (D == 2 ? 26.5 : 8.0) * spacing), at<D>(0.0, -1.0));
  Piston<D> lid, side;
  lid.control = PistonControl::force, lid.walls = {{static_cast<std::int32_t>(s.model.walls.size()) - 1, at<D>(0.0, -1.0)}};
  lid.mass = side.mass = 0.3 * bodies, lid.target.mean = 2.0 * bodies * g;
  side.control = PistonControl::stress, side.walls = {{1, at<D>(-1.0, 0.0)}}, side.target.mean = bodies * g;
  side.stiffness = 1e4 * bodies, side.damping = 20.0 * bodies;
  s.model.pistons = {lid, side};
  return s;
}
TEST(StepsOfBlocksOnACard, have_the_bits_of_the_processor_under_pistons) {
  EXPECT_GE(compared_steps(pressed<3>(ContactRule::midpoint), 111, 12), 8);
  EXPECT_GE(compared_steps(pressed<2>(ContactRule::predictive), 151, 12), 8);
}

// Through the sides of a cell.
TEST(StepsOfBlocksOnACard, have_the_bits_of_the_processor_in_a_periodic_cell) {
  const auto periodic = [&]<int D>(std::integral_constant<int, D>) {
    Sample<D> s = falling<D>(ContactRule::predictive, 0.3, across<D>, count<D>, add_brick<D>);
    s.floor();
    s.model.gravity = at<D>(0.5 * g, -g);
    Lattice<D>& cell = s.model.cell.start;
    for (int d = 0; d < D; ++d) cell.vectors.row[d][d] = across<D> * spacing, cell.periodic[d] = d < D - 1;
    if constexpr (D == 3) cell.vectors.row[0][1] = 0.4 * across<D> * spacing;
    return s;
  };
  EXPECT_GE(compared_steps(periodic(std::integral_constant<int, 3>{}), 160, 12), 8);
  EXPECT_GE(compared_steps(periodic(std::integral_constant<int, 2>{}), 200, 12), 8);
}

// Polyhedra with round edges, capsules, and bodies of two parts.
TEST(StepsOfBlocksOnACard, have_the_bits_of_the_processor_between_shapes_of_all_kinds) {
  const auto add = [](Sample<3>& s, RandomStream& random, const Vec<3>& x) {
    const double r = 0.22 * spacing, l = spacing * random.uniform(0.05, 0.2);
    std::vector<ConvexPart<3>> parts;
    switch (static_cast<int>(random.uniform(0.0, 3.0))) {
      case 0:
        return add_brick<3>(s, random, x);
      case 1:
        parts = {capsule_part<3>({{-l, 0.0, 0.0}}, {{l, 0.0, 0.0}}, r)};
        break;
      default:
        parts = {capsule_part<3>({{-l, 0.0, 0.0}}, {{l, 0.0, 0.0}}, r), ball_part<3>({{0.0, 1.2 * l, 0.0}}, r)};
    }
    add_block<3>(s, make_shape<3>(parts), x, random_rotation(random, Rotation<3>{}));
  };
  Sample<3> s = falling<3>(ContactRule::predictive, 0.1, 6, 252, add);
  s.sides(6 * spacing), s.floor();
  EXPECT_GE(compared_steps(s, 110, 12), 8);
}

// Grains are poured among blocks, and blocks leave.
TEST(StepsOfBlocksOnACard, let_bodies_leave_and_come) {
  Sample<3> s = box_of_bricks<3>(ContactRule::predictive, 0.2);
  Sink<3> hole;
  hole.shape = Sink<3>::Shape::ball, hole.centre = {{0.03, 0.03, 0.0}}, hole.radius = 0.012;
  s.model.sinks = {hole};
  Source<3> source;
  source.rate = 200.0, source.density = 1.0, source.centre = {{0.03, 0.03, 0.1}}, source.spread = 0.02;
  source.sizes.kind = SizeDistribution::Kind::uniform, source.sizes.low = 3e-3, source.sizes.high = 5e-3;
  s.model.sources = {source};
  EXPECT_GE(compared_steps(s, 101, 30), 12);
}

// Shapes with more corners than a thread has room for: the processor makes the steps.
TEST(StepsOfBlocksOnACard, leave_large_shapes_to_the_processor) {
  const auto add = [](Sample<3>& s, RandomStream& random, const Vec<3>& x) {
    std::vector<Vec<3>> corners;
    for (int k = 0; k < 40; ++k) {
      const double angle = 2.0 * 3.14159265358979 * (k / 2) / 20.0;
      corners.push_back({{0.25 * spacing * std::cos(angle), 0.25 * spacing * std::sin(angle), (k % 2 - 0.5) * 0.4 * spacing}});
    }
    add_block<3>(s, hull_shape<3>(corners), x, random_rotation(random, Rotation<3>{}));
  };
  Sample<3> s = falling<3>(ContactRule::midpoint, 0.0, 6, 252, add);
  s.sides(6 * spacing), s.floor();
  EXPECT_EQ(what_keeps_steps_here(s.model, s.bodies), "bodies with more corners than a card takes");
  EXPECT_EQ(what_no_card_takes(s.model, s.bodies), "");  // but the sweeps
  EXPECT_EQ(compared_steps(s, 110, 3), 0);
}

// Bodies are put in order, and all contacts coloured, anew.
TEST(StepsOfBlocksOnACard, have_the_bits_of_the_processor_when_bodies_are_put_in_order) {
  EXPECT_EQ(compared_steps(box_of_bricks<2>(ContactRule::midpoint, 0.2), 495, 10), 10);
}

}  // namespace
}  // namespace moreau::gpu
