// The same bits whatever the number of threads, wherever the run was cut and continued, whenever neighbour lists were rebuilt.
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include "moreau/base/random.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

// 2000 grains pressed in a shaken box, more of them poured in.
template <int D>
Simulation<D> scene(ContactRule rule) {
  RandomStream random(2000);
  Sample<D> s(2e-4, {}, at<D>(0, -500));
  s.laws({0.4, 0.2, 0.1}, {0.6, 0.5, 0.0});
  s.model.rule = rule;
  s.model.solver = {.max_sweeps = 40};
  const int across = D == 2 ? 50 : 13;
  const double diameter = 1e-2;
  s.sides(across * diameter).wall({}, at<D>(0, 1), s.motion(shaken<D>(at<D>(0, 1e-3), 30.0, 0.0)));
  fill_lattice<D>(s, random, 2000, across, diameter, 0.97, 0.9999, 0.0, 0.5);
  Source<D> source;
  source.rate = 1000, source.sizes.kind = SizeDistribution::Kind::uniform, source.sizes.low = 3e-3, source.sizes.high = 5e-3;
  source.density = 1.0, source.centre = at<D>(0.5 * across * diameter, 0), source.spread = 0.05;
  s.model.sources.push_back(source);
  return s.start(42);
}

template <int D>
std::string hash_after(Simulation<D>& simulation, int steps) {
  std::size_t contacts = 0;
  for (int n = 0; n < steps; ++n) contacts = simulation.step().contacts;
  EXPECT_GT(contacts, 2000u);
  return state_hash(simulation.state());
}

constexpr int steps = 200;

template <int D>
void same_bits_on_any_number_of_threads(ContactRule rule) {
  const oneapi::tbb::global_control allow(oneapi::tbb::global_control::max_allowed_parallelism, 8);
  std::string reference;
  for (const int threads : {1, 2, 3, 7}) {
    oneapi::tbb::task_arena arena(threads);
    const std::string hash = arena.execute([&] {
      EXPECT_EQ(oneapi::tbb::this_task_arena::max_concurrency(), threads);
      auto simulation = scene<D>(rule);
      return hash_after(simulation, steps);
    });
    if (threads == 1) reference = hash;
    EXPECT_EQ(hash, reference) << threads << " threads";
  }
}
TEST(Determinism, same_bits_on_any_number_of_threads_for_discs) { same_bits_on_any_number_of_threads<2>(ContactRule::midpoint); }
TEST(Determinism, same_bits_on_any_number_of_threads_for_balls) {
  same_bits_on_any_number_of_threads<3>(ContactRule::predictive);
}

// Cutting the run also rebuilds the neighbour lists at other times than the uninterrupted run does.
template <int D>
void same_bits_when_cut(ContactRule rule) {
  auto whole = scene<D>(rule);
  hash_after(whole, steps / 2);
  const State<D> snapshot = whole.state();
  const std::string at_half = state_hash(snapshot), reference = hash_after(whole, steps / 2);
  EXPECT_NE(at_half, reference);
  EXPECT_EQ(state_hash(snapshot), at_half);  // a snapshot does not follow the run

  Simulation<D> resumed(whole.model(), snapshot);
  EXPECT_EQ(hash_after(resumed, steps / 2), reference);

  State<D> state = snapshot;  // a fresh start, with fresh lists, every few steps
  for (int n = 0; n < steps / 2; n += 5) {
    Simulation<D> part(whole.model(), state);
    for (int k = 0; k < 5; ++k) part.step();
    state = part.state();
  }
  EXPECT_EQ(state_hash(state), reference);
}
TEST(Determinism, same_bits_when_the_run_is_cut_and_resumed) { same_bits_when_cut<2>(ContactRule::midpoint); }
TEST(Determinism, same_bits_when_the_run_is_cut_and_resumed_under_the_predictive_rule) {
  same_bits_when_cut<2>(ContactRule::predictive);
}
TEST(Determinism, same_bits_when_a_run_of_balls_is_cut_and_resumed) { same_bits_when_cut<3>(ContactRule::midpoint); }

TEST(Determinism, another_seed_is_another_run) {
  auto s = Sample<2>(1e-3).floor();
  Source<2> source;
  source.rate = 1000, source.sizes.low = 0.1, source.density = 1.0, source.spread = 1.0;
  s.model.sources.push_back(source);
  auto one = s.start(1), same = s.start(1), other = s.start(2);
  for (int n = 0; n < 20; ++n) one.step(), same.step(), other.step();
  EXPECT_EQ(state_hash(one.state()), state_hash(same.state()));
  EXPECT_NE(state_hash(one.state()), state_hash(other.state()));
}

}  // namespace
}  // namespace moreau
