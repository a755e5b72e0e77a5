// Contacts of several kinds in one step: balls and blocks, plain laws and others, on the same bodies.
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include "moreau/base/random.hpp"
#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

enum Mixture { plain, cohesive, rolling };

PairLaw law_of(Mixture mixture) {
  PairLaw law{0.5, 0.0, 0.0};
  if (mixture == cohesive) law.cohesion = 1e-4, law.friction_cap = 1.0;
  if (mixture == rolling) law.rolling = 0.2, law.pivoting = 0.1;
  return law;
}

// Grains in a box, every tenth of them a block, and a block in the ground. What grains do among themselves is plain, with walls
// it is as given.
template <int D>
Sample<D> mixed(Mixture mixture, int count, bool blocks = true) {
  RandomStream random(3);
  Sample<D> s(5e-4);
  s.model.rule = ContactRule::predictive;
  s.model.solver = {};
  s.laws({0.5, 0.0, 0.0}, law_of(mixture));
  const int across = D == 2 ? 50 : 8;
  s.sides(across * 1e-2).floor();
  for (int i = 0; i < count; ++i) {
    const int layer = D == 2 ? across : across * across;
    Vec<D> x = at<D>(1e-2 * (i % across + 0.5), 1e-2 * (i / layer + 0.5));
    if (D == 3) x[1] = 1e-2 * (i / across % across + 0.5);
    const double radius = random.uniform(4e-3, 4.9e-3);
    Vec<D> v{};
    for (int d = 0; d < D; ++d) v[d] = random.uniform(-0.1, 0.1);
    if (blocks && i % 10 == 3) {
      Vec<D> sides;
      for (int d = 0; d < D; ++d) sides[d] = radius * random.uniform(0.8, 1.1);
      s.bodies.state.velocity[add_box<D>(s, sides, x, {}, 1.0 / ball_mass<D>(5e-3, 1.0))] = v;
    } else {
      s.ball(x, radius, v, {}, ball_mass<D>(radius, 1.0 / ball_mass<D>(5e-3, 1.0)));
    }
  }
  if (blocks)
    add_box<D>(
        s,
        [] {
          Vec<D> v;
          for (double& c : v.c) c = 5e-3;
          return v;
        }(),
        at<D>(0.5, 0.5), {}, 1.0, BodyKind::fixed);
  return s;
}

template <int D>
std::string hash_after(Simulation<D>& simulation, int steps) {
  for (int n = 0; n < steps; ++n) simulation.step();
  return state_hash(simulation.state());
}

template <int D>
void same_bits(Mixture mixture) {
  const oneapi::tbb::global_control allow(oneapi::tbb::global_control::max_allowed_parallelism, 8);
  const auto s = mixed<D>(mixture, D == 2 ? 2500 : 1200);
  std::string reference;
  State<D> half;
  for (const int threads : {1, 2, 3, 7}) {
    oneapi::tbb::task_arena(threads).execute([&] {
      auto simulation = s.start();
      hash_after(simulation, 60);
      if (threads == 1) half = simulation.state();
      const std::string hash = hash_after(simulation, 60);
      if (threads == 1) reference = hash;
      EXPECT_EQ(hash, reference) << threads << " threads";
      EXPECT_GT(simulation.state().contacts.size(), 1024u);  // single precision takes part
    });
  }
  Simulation<D> resumed(s.model, half);
  EXPECT_EQ(hash_after(resumed, 60), reference);
}
TEST(ContactKinds, same_bits_on_any_number_of_threads_and_resumed_in_the_plane) { same_bits<2>(plain); }
TEST(ContactKinds, same_bits_on_any_number_of_threads_and_resumed_in_space) { same_bits<3>(plain); }
TEST(ContactKinds, same_bits_on_any_number_of_threads_and_resumed_with_cohesion) { same_bits<3>(cohesive); }
TEST(ContactKinds, same_bits_on_any_number_of_threads_and_resumed_with_rolling) { same_bits<3>(rolling); }

// Energy is accounted for to rounding whatever the kinds.
template <int D>
void ledger_closes(Mixture mixture) {
  auto simulation = mixed<D>(mixture, D == 2 ? 300 : 500).start();
  double kinetic = 0.0;
  for (int n = 0; n < 150; ++n) kinetic = std::max(kinetic, simulation.step().energy.kinetic);
  EXPECT_GT(simulation.state().energy.dissipated, 0.0);
  EXPECT_LE(std::abs(simulation.state().energy.error()), 1e-11 * kinetic);
}
TEST(ContactKinds, energy_ledger_closes_in_the_plane) {
  ledger_closes<2>(plain), ledger_closes<2>(cohesive), ledger_closes<2>(rolling);
}
TEST(ContactKinds, energy_ledger_closes_in_space) {
  ledger_closes<3>(plain), ledger_closes<3>(cohesive), ledger_closes<3>(rolling);
}

// Single precision is a way to the solution, not another one. Without friction the velocities are unique.
template <int D>
void precision_does_not_matter(Mixture mixture) {
  auto s = mixed<D>(mixture, D == 2 ? 2500 : 1200);
  for (PairLaw& law : s.model.pair_laws) law.friction = 0.0, law.rolling = law.pivoting = 0.0;
  auto running = s.start();
  for (int n = 0; n < 100; ++n) running.step();
  s.bodies = running.state().bodies;
  s.model.solver = {.tolerance = 1e-7, .unbalanced_tolerance = 1e-5, .max_sweeps = 100000};
  auto both = s.start();
  const StepReport report = both.step();
  s.model.solver.mixed_precision = false;
  auto pure = s.start();
  ASSERT_TRUE(pure.step().certificate.converged);
  EXPECT_TRUE(report.certificate.converged);
  EXPECT_GT(report.contacts, 1024u);
  const auto &v = both.state().bodies.state.velocity, &w = pure.state().bodies.state.velocity;
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_LE(norm(v[i] - w[i]), 1e-3 * g * s.model.time_step) << i;
}
TEST(ContactKinds, precision_does_not_matter_in_the_plane) {
  precision_does_not_matter<2>(plain), precision_does_not_matter<2>(cohesive);
}
TEST(ContactKinds, precision_does_not_matter_in_space) {
  precision_does_not_matter<3>(plain), precision_does_not_matter<3>(cohesive);
}

// A block that nothing touches leaves the balls as they were: a step with all digits asked for, from the same state.
template <int D>
void idle_block_changes_nothing() {
  auto s = mixed<D>(plain, D == 2 ? 300 : 500, false);
  auto running = s.start();
  for (int n = 0; n < 100; ++n) running.step();
  s.bodies = running.state().bodies;
  for (PairLaw& law : s.model.pair_laws) law.friction = 0.0;  // velocities are unique
  s.model.solver = exact_solver();
  auto alone = s.start();
  const StepReport without = alone.step();
  Vec<D> sides;
  for (double& c : sides.c) c = 5e-3;
  add_box<D>(s, sides, at<D>(0.5, 0.5), {}, 1.0, BodyKind::fixed);
  auto beside = s.start();
  const StepReport with = beside.step();
  ASSERT_TRUE(without.certificate.converged && with.certificate.converged);
  EXPECT_EQ(with.contacts, without.contacts);
  EXPECT_EQ(with.max_penetration, without.max_penetration);
  const auto &v = alone.state().bodies.state, &w = beside.state().bodies.state;
  for (std::size_t i = 0; i < v.size(); ++i) {
    EXPECT_LE(norm(v.velocity[i] - w.velocity[i]), 1e-7 * g * s.model.time_step) << i;
    EXPECT_LE(norm(v.position[i] - w.position[i]), 1e-12) << i;
  }
}
TEST(ContactKinds, an_idle_block_changes_nothing_for_discs) { idle_block_changes_nothing<2>(); }
TEST(ContactKinds, an_idle_block_changes_nothing_for_balls) { idle_block_changes_nothing<3>(); }

// A ball rests and rolls on a block that does not move as on a wall.
template <int D>
void fixed_block_is_a_floor() {
  Sample<D> on_wall(1e-3, {0.3, 0.0, 0.0}), on_block = on_wall;
  on_wall.floor();
  Vec<D> sides;
  for (double& c : sides.c) c = 20.0;
  for (Sample<D>* s : {&on_wall, &on_block}) s->ball(at<D>(0.0, 0.5), 0.5, at<D>(1.0, 0.0));
  add_box<D>(on_block, sides, at<D>(0.0, -10.0), {}, 1.0, BodyKind::fixed);
  auto one = on_wall.start(), two = on_block.start();
  for (int n = 0; n < 300; ++n) one.step(), two.step();
  const auto &p = one.state().bodies.state, &q = two.state().bodies.state;
  EXPECT_LE(norm(p.velocity[0] - q.velocity[0]), 1e-10);
  EXPECT_LE(norm(p.spin[0] - q.spin[0]), 1e-10);
  EXPECT_NEAR(forward_rate<D>(q.spin[0]) * 0.5, q.velocity[0][0], 1e-9);  // it has come to roll
}
TEST(ContactKinds, a_fixed_block_is_a_floor_for_discs) { fixed_block_is_a_floor<2>(); }
TEST(ContactKinds, a_fixed_block_is_a_floor_for_balls) { fixed_block_is_a_floor<3>(); }

}  // namespace
}  // namespace moreau
