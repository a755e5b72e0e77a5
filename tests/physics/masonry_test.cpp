// Many blocks: a dry wall on shaken ground, a tower of planks, a vault, a heap of polyhedra.
#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include "moreau/base/random.hpp"
#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

// Running bond on a ground that moves; returns the sample.
Sample<2> dry_wall(int courses, int per_course, double h, double amplitude = 0.02) {
  Sample<2> s(h, {0.6, 0.0, 0.0});
  s.model.rule = ContactRule::predictive;
  s.model.solver = {.max_sweeps = 4000};
  const int shaking = s.motion(shaken<2>({{amplitude, 0.0}}, 3.0, 0.0));
  s.wall({}, {{0, 1}}, shaking);
  const double length = 0.2, height = 0.1;
  for (int c = 0; c < courses; ++c) {
    const bool shifted = c % 2;
    const double y = (c + 0.5) * height;
    for (int k = 0; k < per_course; ++k) {
      if (!shifted) add_box<2>(s, {{length, height}}, {{(k + 0.5) * length, y}});
      if (shifted && k > 0) add_box<2>(s, {{length, height}}, {{k * length, y}});
      if (shifted && k == 0) {
        add_box<2>(s, {{0.5 * length, height}}, {{0.25 * length, y}});
        add_box<2>(s, {{0.5 * length, height}}, {{(per_course - 0.25) * length, y}});
      }
    }
  }
  return s;
}

Vec<2> momentum(const Bodies<2>& bodies) {
  Vec<2> sum{};
  for (std::size_t i = 0; i < bodies.size(); ++i) sum += bodies.parameters.mass[i] * bodies.state.velocity[i];
  return sum;
}

TEST(DryWall, of_500_blocks_on_shaken_ground_keeps_its_books_and_the_same_bits_on_two_threads) {
  std::string hash[2];
  for (int threads = 1; threads <= 2; ++threads) {
    const Sample<2> s = dry_wall(25, 20, 1e-3);
    EXPECT_GE(s.bodies.size(), 500u);
    double weight = 0.0;
    for (const double m : s.bodies.parameters.mass) weight += m * g;
    auto simulation = s.start();
    oneapi::tbb::task_arena arena(threads);
    double deepest = 0.0, created = 0.0, dissipated = 0.0, unbalanced = 0.0, ground = 0.0;
    std::size_t unconverged = 0;
    arena.execute([&] {
      for (int n = 0; n < 300; ++n) {
        const Vec<2> before = momentum(simulation.state().bodies);
        const StepReport report = simulation.step();
        deepest = std::max(deepest, report.max_penetration);
        created = std::max(created, dissipated - report.energy.dissipated);
        dissipated = std::max(dissipated, report.energy.dissipated);
        unconverged += !report.certificate.converged;
        ASSERT_TRUE(report.finite);
        // What the ground gives is all that the wall gets besides its weight, and stays within Coulomb's cone.
        const ContactTable<2>& table = simulation.state().contacts;
        Vec<2> from_ground{};
        for (std::size_t k = 0; k < table.size(); ++k)
          if (is_wall(table.b[k])) from_ground += table.impulse[k];
        const Vec<2> got = momentum(simulation.state().bodies) - before + Vec<2>{{0.0, weight * s.model.time_step}};
        unbalanced = std::max(unbalanced, norm(got - from_ground));
        ASSERT_LE(std::abs(from_ground[0]), 0.6 * from_ground[1] * (1.0 + 1e-9)) << n;
        ground += from_ground[1];
      }
    });
    const EnergyLedger& energy = simulation.state().energy;
    EXPECT_LE(std::abs(energy.error()), 1e-9 * std::abs(energy.potential));
    EXPECT_LE(created, 1e-5 * weight * 2.5);
    EXPECT_LE(unbalanced, 1e-9 * weight * s.model.time_step);
    EXPECT_NEAR(ground, weight * simulation.state().time, 0.01 * weight * simulation.state().time);
    EXPECT_LE(deepest, 1e-3);
    EXPECT_LE(unconverged, 3u);
    double shift = 0.0, lift = 0.0, turn = 0.0, mean = 0.0;
    for (std::size_t i = 0; i < s.bodies.size(); ++i) {
      const Vec<2> way = simulation.state().bodies.state.position[i] - s.bodies.state.position[i];
      mean += way[0] / static_cast<double>(s.bodies.size());
      lift = std::max(lift, std::abs(way[1])), shift = std::max(shift, std::abs(way[0]));
      turn = std::max(turn, std::abs(simulation.state().bodies.state.orientation[i].angle));
    }
    // It has moved with the ground (amplitude 0.02), and every block is still in its course (height 0.1).
    EXPECT_GE(std::abs(mean), 0.01);
    EXPECT_LE(shift, 0.04);
    EXPECT_LE(lift, 0.01);
    EXPECT_LE(turn, 0.02);
    hash[threads - 1] = state_hash(simulation.state());
  }
  EXPECT_EQ(hash[0], hash[1]);
}

TEST(DryWall, at_rest_keeps_every_contact_and_needs_two_sweeps) {
  Sample<2> s = dry_wall(12, 12, 1e-3, 0.0);
  s.model.rule = ContactRule::midpoint;
  s.model.contact_distance = 1e-6;
  s.model.solver = {.tolerance = 1e-6, .unbalanced_tolerance = 1e-4, .max_sweeps = 20000};
  auto simulation = s.start();
  simulation.step();  // cold
  for (int n = 0; n < 200; ++n) {
    const StepReport report = simulation.step();
    ASSERT_EQ(report.recalled, report.contacts) << n;
    ASSERT_LE(report.certificate.sweeps, 2) << n;
  }
}

// Six layers of three planks, crosswise.
TEST(PlankTower, of_eighteen_thin_planks_stands) {
  Sample<3> s(1e-3, {0.5, 0.0, 0.0});
  s.model.rule = ContactRule::predictive;
  s.model.solver = {};
  s.floor();
  const double length = 0.12, width = 0.024, thickness = 0.008;
  for (int layer = 0; layer < 6; ++layer)
    for (int k = 0; k < 3; ++k) {
      const double y = (k - 1) * 0.04, z = (layer + 0.5) * thickness;
      if (layer % 2)
        add_box<3>(s, {{width, length, thickness}}, {{y, 0, z}});
      else
        add_box<3>(s, {{length, width, thickness}}, {{0, y, z}});
    }
  auto simulation = s.start();
  std::size_t unconverged = 0;
  for (int n = 0; n < 3000; ++n) unconverged += !simulation.step().certificate.converged;
  EXPECT_EQ(unconverged, 0u);
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    EXPECT_LE(norm(simulation.state().bodies.state.position[i] - s.bodies.state.position[i]), 1e-5 * length) << i;
}

// A barrel vault of wedge stones in running bond, springing from fixed abutments.
TEST(BarrelVault, stands) {
  Sample<3> s(1e-3, {0.7, 0.0, 0.0});
  s.model.rule = ContactRule::predictive;
  s.model.solver = {};
  const int rings = 3, stones = 9;
  const double inner = 0.85, outer = 1.15, depth = 0.4, from = M_PI / 8, to = M_PI - from;
  const auto corner = [](double r, double angle, double y) { return Vec<3>{{r * std::cos(angle), y, r * std::sin(angle)}}; };
  for (int ring = 0; ring < rings; ++ring)
    for (int k = -1; k <= stones; ++k) {
      const double left = from + k * (to - from) / stones, right = from + (k + 1) * (to - from) / stones;
      std::vector<Vec<3>> corners;
      for (const double r : {inner, outer})
        for (const double angle : {left, right})
          for (const double y : {ring * depth, (ring + 1) * depth}) corners.push_back(corner(r, angle, y));
      add_stone<3>(s, corners, 1.0, k < 0 || k == stones ? BodyKind::fixed : BodyKind::free);
    }
  auto simulation = s.start();
  for (int n = 0; n < 1000; ++n) simulation.step();
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    EXPECT_LE(norm(simulation.state().bodies.state.position[i] - s.bodies.state.position[i]), 1e-3) << i;
}

// Random convex polyhedra fall into a box and come to rest on each other.
TEST(PolyhedraHeap, settles_with_a_certified_residual_and_little_overlap) {
  Sample<3> s(1e-3, {0.4, 0.0, 0.0});
  s.model.rule = ContactRule::predictive;
  s.model.solver = {};
  s.floor().sides(0.5);
  RandomStream random(7);
  for (int k = 0; k < 60; ++k) {
    std::vector<Vec<3>> corners;
    for (int v = 0; v < 12; ++v) {
      Vec<3> x{{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}};
      corners.push_back((0.05 / norm(x)) * x);
    }
    const PlacedShape<3> placed = hull_shape<3>(corners);
    const Vec<3> place{{0.1 + 0.1 * (k % 4), 0.1 + 0.1 * (k / 4 % 4), 0.06 + 0.11 * (k / 16)}};
    add_block<3>(s, placed, place, placed.orientation);
  }
  auto simulation = s.start();
  double deepest = 0.0;
  std::size_t unconverged = 0;
  StepReport report;
  for (int n = 0; n < 1500; ++n) {
    report = simulation.step();
    deepest = std::max(deepest, report.max_penetration);
    unconverged += !report.certificate.converged;
  }
  EXPECT_LE(unconverged, 15u);
  EXPECT_LE(deepest, 0.02);
  EXPECT_LE(report.max_penetration, 1e-3);
  EXPECT_LE(report.max_speed, 1e-2);
  EXPECT_LE(std::abs(report.energy.error()), 1e-10);
  double weight = 0.0, carried = 0.0;
  for (double m : s.bodies.parameters.mass) weight += m * g;
  const ContactRecords<3> records = simulation.contact_records();
  for (std::size_t i = 0; i < records.size(); ++i)
    if (is_wall(records.b[i])) carried += records.force[i][2];
  EXPECT_NEAR(carried, weight, 0.02 * weight);
}

}  // namespace
}  // namespace moreau
