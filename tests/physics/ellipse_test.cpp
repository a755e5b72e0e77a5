// A flat block on ground with grooves along x: less friction along them than across.
#include <gtest/gtest.h>

#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

constexpr double along = 0.2, across = 0.6;

Simulation<3> block(const Vec<3>& gravity, const Vec<3>& velocity, const Vec<3>& spin = {}) {
  Sample<3> s(1e-3, {.friction = along, .cross_friction = across, .friction_direction = {{1, 0, 0}}}, gravity);
  s.model.contact_distance = 1e-6;
  s.floor();
  add_box<3>(s, {{1.0, 0.7, 0.01}}, at<3>(0, 0.005), {}, 1.0 / 0.007);
  s.bodies.state.velocity[0] = velocity, s.bodies.state.spin[0] = spin;
  return s.start();
}

TEST(FrictionEllipse, block_starts_to_slide_by_the_coefficient_of_each_direction) {
  for (const double angle : {0.0, 0.5, 1.0, M_PI / 2}) {
    // Pull towards `angle`: it is on the ellipse when (cos/mu1)^2 + (sin/mu2)^2 = (g / pull)^2.
    const double limit = g / std::hypot(std::cos(angle) / along, std::sin(angle) / across);
    for (const double factor : {0.99, 1.01}) {
      const Vec<3> pull{{factor * limit * std::cos(angle), factor * limit * std::sin(angle), -g}};
      auto simulation = block(pull, {});
      for (int n = 0; n < 20; ++n) ASSERT_TRUE(simulation.step().certificate.converged);
      const double speed = norm(simulation.state().bodies.state.velocity[0]);
      if (factor < 1.0)
        EXPECT_LE(speed, 1e-11) << angle;
      else
        EXPECT_GT(speed, 1e-3 * 0.005 * limit) << angle;
    }
  }
}

// Sliding: P_i = -P_N mu_i^2 w_i / |(mu_1 w_1, mu_2 w_2)|, at every corner of a block that turns as well.
TEST(FrictionEllipse, sliding_corners_are_on_the_graph) {
  for (const double spin : {0.0, 2.0}) {
    auto simulation = block(at<3>(0, -g), {{0.8, -0.5, 0}}, {{0, 0, spin}});
    for (int n = 0; n < 20; ++n) ASSERT_TRUE(simulation.step().certificate.converged);
    const auto records = simulation.contact_records();
    ASSERT_EQ(records.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(records.status[i], ContactStatus::slide);
      const Vec<3>& f = records.force[i];
      const Vec<3>& w = records.relative_velocity[i];
      const double scale = f[2] / std::hypot(along * w[0], across * w[1]);
      EXPECT_NEAR(f[0], -scale * along * along * w[0], 1e-7 * g);
      EXPECT_NEAR(f[1], -scale * across * across * w[1], 1e-7 * g);
    }
    EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-11);
  }
}

}  // namespace
}  // namespace moreau
