// Grains brought by sources: when, where, how many, and what they bring to the ledger.
#include <gtest/gtest.h>

#include "moreau/dynamics/exchange.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
Source<D> dropper(double rate) {
  Source<D> source;
  source.rate = rate, source.sizes.low = 0.1, source.density = 2.0;
  return source;
}

TEST(Source, one_grain_each_period_from_start_to_end) {
  auto s = Sample<2>(1e-2).floor();
  auto source = dropper<2>(4.0);
  source.start = 0.5, source.end = 1.6, source.spread = 3.0;
  s.model.sources.push_back(source);
  auto simulation = s.start(3);
  std::vector<double> births;
  for (int n = 0; n < 300; ++n)
    if (const StepReport report = simulation.step(); report.inserted > 0) {
      EXPECT_EQ(report.inserted, 1u);
      births.push_back(simulation.state().bodies.parameters.birth.back());
    }
  ASSERT_EQ(births.size(), 5u);  // due at 0.5, 0.75, 1, 1.25, 1.5
  for (std::size_t k = 0; k < births.size(); ++k) EXPECT_NEAR(births[k], 0.5 + 0.25 * static_cast<double>(k), 0.51e-2);
}

TEST(Source, count_limits_and_a_fast_source_gives_several_per_step) {
  auto s = Sample<3>(1e-2).floor();
  auto source = dropper<3>(1000.0);
  source.count = 25, source.spread = 2.0;
  s.model.sources.push_back(source);
  auto simulation = s.start();
  std::size_t total = 0;
  for (int n = 0; n < 10; ++n) total += simulation.step().inserted;
  EXPECT_EQ(total, 25u);
  EXPECT_EQ(simulation.state().bodies.size(), 25u);
}

//     o  new grain, at rest, touching the heap
//    o o
//   -----
TEST(Source, grain_is_born_at_rest_on_what_lies_below_it) {
  auto s = Sample<2>(1e-6).floor().ball(at<2>(0, 0.5), 0.5);
  auto source = dropper<2>(1.0);
  s.model.sources.push_back(source);
  s.model.gravity = at<2>(0, -1e-6);
  auto simulation = s.start();
  simulation.step();
  ASSERT_EQ(simulation.state().bodies.size(), 2u);
  EXPECT_NEAR(height(simulation, 1), 1.1, 1e-12);
  EXPECT_NEAR(simulation.state().bodies.parameters.mass[1], 2.0 * M_PI * 0.01, 1e-15);
  EXPECT_NEAR(simulation.state().bodies.parameters.inertia[1], 0.5 * 2.0 * M_PI * 1e-4, 1e-17);
  EXPECT_LE(norm(simulation.state().bodies.state.velocity[1]), 1e-11);
  EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-18);
}

// Uniform over the disc: half of the grains within 1/sqrt(2) of its radius.
TEST(Source, grains_are_spread_uniformly_over_the_disc) {
  Sample<3> s(1e-3);
  auto source = dropper<3>(1e6);
  source.count = 4000, source.spread = 500.0, source.centre = {{7, 8, 0}};
  source.sizes.low = 1e-3;
  s.model.sources.push_back(source);
  auto simulation = s.floor().start(5);
  for (int n = 0; n < 6; ++n) simulation.step();
  const auto& x = simulation.state().bodies.state.position;
  ASSERT_EQ(x.size(), 4000u);
  double inner = 0, farthest = 0, right = 0;
  for (const auto& y : x) {
    const double r = std::hypot(y[0] - 7, y[1] - 8);
    inner += r<500 / std::sqrt(2.0), right += y[0]> 7, farthest = std::max(farthest, r);
  }
  EXPECT_NEAR(inner / 4000, 0.5, 0.03);
  EXPECT_NEAR(right / 4000, 0.5, 0.03);
  EXPECT_LE(farthest, 500.0);
  EXPECT_GT(farthest, 490.0);
}

// Of a wide source over obstacles of very different sizes, under slanting gravity: each grain touches what it comes to rest on and
// overlaps nothing, whichever part of the source it came from.
TEST(Source, grains_of_a_wide_source_touch_what_is_below_and_overlap_nothing) {
  RandomStream random(11);
  Sample<3> s(1e-6, {}, Vec<3>{{-2e-7, 1e-7, -1e-6}});
  s.floor().obstacle({{1.0, -1.5, 0.0}}, 2.0);
  for (int n = 0; n < 1500; ++n)
    s.obstacle({{random.uniform(-4.0, 4.0), random.uniform(-4.0, 4.0), random.uniform(0.0, 1.0)}}, random.uniform(0.02, 0.2));
  auto source = dropper<3>(1e9);
  source.count = 200, source.spread = 3.0, source.centre = {{0, 0, 10}};
  source.sizes.kind = SizeDistribution::Kind::uniform, source.sizes.low = 0.02, source.sizes.high = 0.06;
  s.model.sources.push_back(source);
  const std::size_t before = s.bodies.size();
  auto simulation = s.start(4);
  simulation.step();
  const Bodies<3>& bodies = simulation.state().bodies;
  ASSERT_EQ(bodies.size(), before + 200);
  for (std::size_t i = before; i < bodies.size(); ++i) {
    const Vec<3> x = bodies.state.position[i];
    const double radius = bodies.parameters.radius[i];
    double nearest = x[2] - radius;
    for (std::size_t j = 0; j < bodies.size(); ++j)
      if (j != i) nearest = std::min(nearest, norm(x - bodies.state.position[j]) - radius - bodies.parameters.radius[j]);
    EXPECT_NEAR(nearest, 0.0, 1e-9) << "grain " << i - before << " of radius " << radius;
  }
}

// All at once into one column, which holds none of them: they stack up, in a time that grows as their number.
TEST(Source, many_grains_of_one_step_stack_up_in_order) {
  auto s = Sample<2>(1e-3).floor();
  auto source = dropper<2>(1e12);
  source.count = 20000;
  s.model.sources.push_back(source);
  Simulation<2> simulation = s.start(3);
  State<2>& state = simulation.mutable_state();
  EXPECT_EQ(insert_from_sources(simulation.model(), state, held_bodies(state)), 20000u);
  for (std::size_t i = 0; i < 20000; ++i) ASSERT_NEAR(height(simulation, i), 0.1 + 0.2 * static_cast<double>(i), 1e-7);
}

TEST(Source, pouring_keeps_the_ledger_closed) {
  auto s = Sample<3>(1e-3, {0.4, 0.3, 0.2}).floor();
  s.cylinder(0.5);
  s.model.solver = {};
  auto source = dropper<3>(300.0);
  source.spread = 0.3;
  s.model.sources.push_back(source);
  auto simulation = s.start(9);
  for (int n = 0; n < 700; ++n) {
    const StepReport report = simulation.step();
    ASSERT_NEAR(report.energy.error(), 0.0, 1e-12 * (1 + report.energy.inserted)) << n;
    ASSERT_LT(report.max_penetration, 0.2);
  }
  EXPECT_GT(simulation.state().energy.inserted, 0.1);
  EXPECT_EQ(simulation.state().bodies.size(), 210u);
}

}  // namespace
}  // namespace moreau
