// Whole steps of blocks, and of balls among them, on a card have the bits of the processor.
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

}  // namespace
}  // namespace moreau::gpu
