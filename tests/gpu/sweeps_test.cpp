// Sweeps of a card, in both precisions and in all ways of the solver, have the bits of the processor.
#include "gpu/story.hpp"
#include "moreau/base/random.hpp"
#include "moreau/geometry/random_rotation.hpp"
#include "physics/block_sample.hpp"

namespace moreau::gpu {
namespace {

using namespace sample;

constexpr std::size_t many = 1024;  // contacts, from which on single precision is used

// Grains that fall into a box.
template <int D>
Sample<D> box_of_grains(const SolverSettings& settings, const PairLaw& law) {
  RandomStream random(11);
  Sample<D> s(5e-4, law);
  s.model.solver = settings;
  const int across = D == 2 ? 30 : 8;
  s.sides(across * 1e-2), s.floor();
  fill_lattice<D>(s, random, D == 2 ? 900 : 640, across, 1e-2, 0.8, 0.99, 0.0, 0.05);
  return s;
}

// 500 steps bring the grains together; the last of them, and some after them, are made on both.
template <int D>
void compare(const SolverSettings& settings, const PairLaw& law) {
  EXPECT_GE(compared_steps<D>(box_of_grains<D>(settings, law), 501, 11), 10);
}
template <int D>
void compare(const SolverSettings& settings, double friction) {
  compare<D>(settings, PairLaw{.friction = friction});
}

TEST(SweepsOfACard, have_the_bits_of_the_processor_in_space) { compare<3>({}, 0.4); }
TEST(SweepsOfACard, have_the_bits_of_the_processor_in_the_plane) { compare<2>({}, 0.3); }
TEST(SweepsOfACard, have_the_bits_of_the_processor_without_single_precision) { compare<3>({.mixed_precision = false}, 0.4); }
TEST(SweepsOfACard, have_the_bits_of_the_processor_without_extrapolation) { compare<2>({.extrapolation = false}, 0.4); }
TEST(SweepsOfACard, have_the_bits_of_the_processor_in_many_sweeps) {
  compare<2>({.tolerance = 1e-7, .unbalanced_tolerance = 1e-6, .max_sweeps = 400, .finish = false}, 0.5);
}
TEST(SweepsOfACard, have_the_bits_of_the_processor_without_friction) {
  compare<3>({.tolerance = 1e-5, .unbalanced_tolerance = 1e-3}, 0.0);
}
TEST(SweepsOfACard, have_the_bits_of_the_processor_under_laws_beyond_coulombs) {
  compare<2>({}, {.friction = 0.4, .cohesion = 3e-4});
  compare<3>({.tolerance = 1e-6, .max_sweeps = 300, .finish = false}, {.friction = 0.5, .rolling = 0.2, .pivoting = 0.1});
  compare<3>({.extrapolation = false}, {.friction = 0.5, .friction_cap = 1e-5});
}

// Blocks, and balls among them, that fall into a box. Their friction depends on speeds: their steps are made here, but for the
// sweeps.
template <int D>
Sample<D> box_of_blocks(const SolverSettings& settings, double share_of_balls) {
  RandomStream random(12);
  Sample<D> s(1e-3, {.friction = 0.4, .static_friction = 0.45, .static_speed = 1e-3});
  s.model.solver = settings;
  s.model.rule = ContactRule::predictive;
  const int across = D == 2 ? 20 : 6;
  const double spacing = 1e-2;
  s.sides(across * spacing), s.floor();
  for (int k = 0; k < (D == 2 ? 500 : 252); ++k) {
    Vec<D> x{}, sides{};
    for (int d = 0, rest = k; d < D; ++d) {
      x[d] = ((d + 1 < D ? rest % across : rest) + 0.5) * spacing, rest /= across;
      sides[d] = spacing * random.uniform(0.4, 0.56);
    }
    if (random.uniform(0, 1) < share_of_balls)
      s.ball(x, 0.45 * spacing, {}, {}, ball_mass<D>(0.45 * spacing, 1.0));
    else
      add_box<D>(s, sides, x, random_rotation(random, Rotation<D>{}));
  }
  return s;
}
TEST(SweepsOfACard, have_the_bits_of_the_processor_between_blocks) {
  EXPECT_GE(compared_steps(box_of_blocks<2>({.finish = false}, 0.0), 150, 8, true), 6);
  EXPECT_GE(compared_steps(box_of_blocks<3>({.finish = false}, 0.0), 110, 6, true), 4);
  EXPECT_GE(compared_steps(box_of_blocks<3>({.extrapolation = false, .finish = false}, 0.0), 110, 4, true), 3);
}
TEST(SweepsOfACard, have_the_bits_of_the_processor_between_blocks_and_balls) {
  EXPECT_GE(compared_steps(box_of_blocks<2>({}, 0.4), 150, 4, true), 3);
  EXPECT_GE(compared_steps(box_of_blocks<3>({}, 0.3), 110, 4, true), 3);
}

}  // namespace
}  // namespace moreau::gpu
