// Bodies that leave through sinks: the others keep their numbers, nothing is counted twice or lost.
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
Sink<D> below(double height) {
  Sink<D> sink;
  sink.point = at<D>(0, height), sink.direction = at<D>(0, -1);
  return sink;
}

TEST(Sink, contains_what_lies_in_its_shape) {
  Sink<3> s = below<3>(1.0);
  EXPECT_TRUE(s.contains({{5, 5, 0.9}}));
  EXPECT_FALSE(s.contains({{5, 5, 1.1}}));
  s.shape = Sink<3>::Shape::box, s.low = {{0, 0, 0}}, s.high = {{1, 2, 3}};
  EXPECT_TRUE(s.contains({{0.5, 1.5, 2.5}}));
  EXPECT_FALSE(s.contains({{0.5, 2.5, 2.5}}));
  s.shape = Sink<3>::Shape::cylinder, s.centre = {{1, 1, 99}}, s.radius = 0.5;
  EXPECT_TRUE(s.contains({{1.3, 1.3, 2.9}}));
  EXPECT_FALSE(s.contains({{1.4, 1.4, 2.9}}));
  EXPECT_FALSE(s.contains({{1.3, 1.3, 3.1}}));
  s.shape = Sink<3>::Shape::ball;
  EXPECT_TRUE(s.contains({{1, 1, 98.6}}));
  EXPECT_FALSE(s.contains({{1.3, 1.3, 98.6}}));
}

// A ball falls into the sink with the energy it started with; the one beside it, on a fixed ball, stays.
TEST(Sink, takes_a_body_and_its_energy) {
  Sample<2> s(1e-3);
  s.obstacle(at<2>(5, 0), 0.5).ball(at<2>(0, 1), 0.5, {}, {}, 2.0).ball(at<2>(5, 1), 0.5);
  s.model.sinks.push_back(below<2>(-1));
  auto simulation = s.start();
  const double start = 2.0 * g * 1.0;
  std::size_t removed = 0, steps = 0;
  while (removed == 0 && ++steps < 2000) {
    const StepReport r = simulation.step();
    removed += r.removed;
    ASSERT_NEAR(r.energy.error(), 0.0, 1e-11);
    ASSERT_EQ(r.bodies, removed == 0 ? 3u : 2u);
  }
  ASSERT_EQ(removed, 1u);
  EXPECT_NEAR(simulation.state().time, std::sqrt(2.0 * 2.0 / g), 2e-3);
  const Bodies<2>& b = simulation.state().bodies;
  ASSERT_EQ(b.size(), 3u);
  EXPECT_EQ(b.parameters.kind[1], BodyKind::removed);
  EXPECT_EQ(b.parameters.kind[2], BodyKind::free);
  EXPECT_NEAR(b.state.position[2][1], 1.0, 1e-9);
  EXPECT_NEAR(simulation.state().energy.removed, start, 1e-11);
  const Vec<2> last = b.state.position[1];
  for (int n = 0; n < 100; ++n) {
    const StepReport r = simulation.step();
    EXPECT_EQ(r.removed, 0u);
    EXPECT_EQ(r.contacts, 1u);
    ASSERT_NEAR(r.energy.error(), 0.0, 1e-11);
  }
  EXPECT_EQ(simulation.state().bodies.state.position[1], last);
}

// What leaves holds nothing up, and is no obstacle: a ball falls through the place where another was.
TEST(Sink, removed_body_touches_nothing) {
  Sample<3> s(1e-3);
  s.ball(at<3>(0, 0), 0.5).ball(at<3>(0, 1), 0.5);
  Sink<3> sink;
  sink.shape = Sink<3>::Shape::ball, sink.radius = 0.4;
  s.model.sinks.push_back(sink);
  auto simulation = s.start();
  EXPECT_EQ(simulation.step().removed, 1u);
  for (int n = 1; n < 200; ++n) EXPECT_EQ(simulation.step().contacts, 0u);
  EXPECT_NEAR(height(simulation, 1), 1.0 - 0.5 * g * 0.2 * 0.2, 1e-3);
}

// Grains through an opening between two fixed ones, with a source above: counts, energy, and the same bits when cut.
template <int D>
Simulation<D> discharge() {
  Sample<D> s(5e-4, {0.3, 0.0, 0.0});
  s.sides(1.0);
  RandomStream random(8);
  for (int k = 0; k < 5; ++k)
    if (k != 2) s.obstacle(at<D>(0.1 + 0.2 * k, 0.0), 0.1);
  for (int i = 0; i < 60; ++i) {
    Vec<D> x = at<D>(0.06 + 0.11 * (i % 9), 0.16 + 0.11 * (i / 9));
    if constexpr (D == 3) x[1] = 0.5;
    s.ball(x, random.uniform(0.03, 0.05));
  }
  Source<D> source;
  source.rate = 100, source.sizes.low = 0.04, source.density = 1.0, source.centre = at<D>(0.5, 0), source.spread = 0.3;
  if constexpr (D == 3) source.centre[1] = 0.5;
  s.model.sources.push_back(source);
  s.model.sinks.push_back(below<D>(-0.5));
  s.model.solver = {};
  return s.start(3);
}

template <int D>
void conserves_and_resumes() {
  auto simulation = discharge<D>();
  std::size_t all = simulation.state().bodies.size(), removed = 0;
  State<D> half;
  for (int n = 0; n < 1600; ++n) {
    if (n == 1000) half = simulation.state();
    const StepReport r = simulation.step();
    all += r.inserted, removed += r.removed;
    ASSERT_EQ(r.bodies, all - removed);
    ASSERT_NEAR(r.energy.error(), 0.0, 1e-9);  // of some hundred
  }
  EXPECT_GT(removed, 5u);  // discs may jam
  std::size_t gone = 0, below_the_sink = 0;
  const Bodies<D>& b = simulation.state().bodies;
  for (std::size_t i = 0; i < b.size(); ++i) {
    gone += b.is_present(i) ? 0 : 1;
    below_the_sink += b.is_free(i) && b.state.position[i][D - 1] < -0.5 - 0.01 ? 1 : 0;
  }
  EXPECT_EQ(gone, removed);
  EXPECT_EQ(below_the_sink, 0u);
  Simulation<D> resumed(simulation.model(), half);
  for (int n = 1000; n < 1600; ++n) resumed.step();
  EXPECT_EQ(state_hash(resumed.state()), state_hash(simulation.state()));
}
TEST(Sink, discharge_of_discs_conserves_counts_and_energy_and_resumes) { conserves_and_resumes<2>(); }
TEST(Sink, discharge_of_balls_conserves_counts_and_energy_and_resumes) { conserves_and_resumes<3>(); }

}  // namespace
}  // namespace moreau
