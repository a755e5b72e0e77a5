// A block on a slope, seen from the slope: gravity is tilted by theta.
//
//      +----+            sticks iff tan theta <= mu, else slides at g (sin theta - mu cos theta);
//      |    | 2a         topples about its lower edge iff tan theta > b/a, when it does not slide first.
//      +----+
//        2b
#include <gtest/gtest.h>

#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
struct BlockOnSlope {
  double b = 0.2, a = 0.15;
  Simulation<D> simulation;

  BlockOnSlope(double theta, double mu, double h, double half_width, double half_height)
      : b(half_width), a(half_height), simulation(make(theta, mu, h, half_width, half_height)) {}

  static Simulation<D> make(double theta, double mu, double h, double b, double a) {
    Sample<D> s(h, {mu, 0.0, 0.0}, g * at<D>(std::sin(theta), -std::cos(theta)));
    s.model.contact_distance = 1e-6;
    Vec<D> sides;
    for (int d = 0; d < D; ++d) sides[d] = 2 * b;
    sides[D - 1] = 2 * a;
    s.floor();
    add_box<D>(s, sides, at<D>(0, a));
    return s.start();
  }
  void run(double duration) {
    for (int n = 0; n < std::lround(duration / simulation.model().time_step); ++n) simulation.step();
  }
  Vec<D> velocity() const { return simulation.state().bodies.state.velocity[0]; }
  Vec<D> position() const { return simulation.state().bodies.state.position[0]; }
  double spin() const { return norm(simulation.state().bodies.state.spin[0]); }
};

// `near`: how near to its threshold. In space the four corners share the friction in many ways, and the sweeps to get there grow
// like 1 / near.
template <int D>
void sticks_or_slides(double near) {
  for (const double theta : {0.1, 0.4, 0.6})
    for (const double h : {1e-3, 1e-2}) {
      BlockOnSlope<D> stuck(theta, (1 + near) * std::tan(theta), h, 0.2, 0.15);
      stuck.run(0.5);
      EXPECT_LE(norm(stuck.velocity()), 1e-9);
      EXPECT_LE(norm(stuck.position() - at<D>(0, 0.15)), 1e-9);

      for (const double mu : {(1 - near) * std::tan(theta), 0.5 * std::tan(theta), 0.0}) {
        BlockOnSlope<D> sliding(theta, mu, h, 0.2, 0.15);
        sliding.run(0.5);
        EXPECT_NEAR(sliding.velocity()[0], g * (std::sin(theta) - mu * std::cos(theta)) * 0.5, 1e-9);
        EXPECT_LE(sliding.spin(), 1e-9);
        EXPECT_LE(std::abs(sliding.simulation.state().energy.error()), 1e-12);
      }
    }
}

TEST(BlockOnIncline, sticks_or_slides_with_the_exact_acceleration_in_the_plane) { sticks_or_slides<2>(1e-6); }
TEST(BlockOnIncline, sticks_or_slides_with_the_exact_acceleration_in_space) { sticks_or_slides<3>(1e-3); }

template <int D>
void topples_at_its_threshold() {
  const double a = 0.3, b = 0.1, mu = 2.0;
  BlockOnSlope<D> standing(std::atan(b / a) - 1e-6, mu, 1e-3, b, a);
  standing.run(1.0);
  EXPECT_LE(standing.spin(), 1e-8);

  // Just beyond, the rotation about the lower edge starts with the angular acceleration m g d sin(excess) / I_edge.
  const double excess = 1e-3, radius = std::hypot(a, b);
  BlockOnSlope<D> toppling(std::atan(b / a) + excess, mu, 1e-3, b, a);
  toppling.run(0.01);
  const double inertia = radius * radius * 4.0 / 3.0;  // per mass, about the edge
  EXPECT_NEAR(toppling.spin(), g * radius * std::sin(excess) / inertia * 0.01, 2e-3 * toppling.spin());
}

TEST(BlockOnIncline, topples_beyond_its_slenderness_in_the_plane) { topples_at_its_threshold<2>(); }
TEST(BlockOnIncline, topples_beyond_its_slenderness_in_space) { topples_at_its_threshold<3>(); }

}  // namespace
}  // namespace moreau
