// Prescribed motions: the velocity is the time derivative of the displacement.
#include "moreau/drive/motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace moreau {
namespace {

template <int D>
void expect_velocity_is_derivative(const Motion<D>& m, double t) {
  const double h = 1e-6;
  const Vec<D> slope = (0.5 / h) * (displacement(m, t + h) - displacement(m, t - h));
  EXPECT_NEAR(norm(slope - velocity(m, t)), 0.0, 1e-6 * (1.0 + norm(slope))) << "at time " << t;
}

TEST(Motion, rest_stays) {
  const Motion<3> m{};
  EXPECT_EQ(displacement(m, 5.0), (Vec<3>{}));
  EXPECT_EQ(velocity(m, 5.0), (Vec<3>{}));
}

TEST(Motion, constant_velocity_goes_in_a_line) {
  Motion<2> m;
  m.kind = MotionKind::constant;
  m.velocity = {{1, -2}};
  EXPECT_EQ(displacement(m, 3.0), (Vec<2>{{3, -6}}));
  expect_velocity_is_derivative(m, 1.5);
}

TEST(Motion, sinusoid_swings_by_its_amplitude) {
  Motion<2> m;
  m.kind = MotionKind::sinusoid;
  m.amplitude = {{0, 0.15}};
  m.frequency = 15;
  m.phase = -std::numbers::pi / 2;
  EXPECT_NEAR(displacement(m, 0.0)[1], -0.15, 1e-15);      // lowest point
  EXPECT_NEAR(displacement(m, 0.5 / 15)[1], 0.15, 1e-14);  // half a period later the highest
  EXPECT_NEAR(displacement(m, 1.0 / 15)[1], -0.15, 1e-14);
  EXPECT_NEAR(velocity(m, 0.25 / 15)[1], 2 * std::numbers::pi * 15 * 0.15, 1e-11);
  for (double t : {0.01, 0.02, 0.03, 0.5}) expect_velocity_is_derivative(m, t);
}

TEST(Motion, table_is_linear_between_and_rests_outside) {
  Motion<2> m;
  m.kind = MotionKind::table;
  m.times = {1, 2, 4};
  m.positions = {{{1, 0}}, {{3, 0}}, {{3, 8}}};
  EXPECT_EQ(displacement(m, 0.0), (Vec<2>{{1, 0}}));
  EXPECT_EQ(displacement(m, 1.5), (Vec<2>{{2, 0}}));
  EXPECT_EQ(displacement(m, 3.0), (Vec<2>{{3, 4}}));
  EXPECT_EQ(displacement(m, 9.0), (Vec<2>{{3, 8}}));
  EXPECT_EQ(velocity(m, 0.5), (Vec<2>{}));
  EXPECT_EQ(velocity(m, 2.0), (Vec<2>{{0, 4}}));  // at a corner the velocity is that of what follows
  EXPECT_EQ(velocity(m, 4.0), (Vec<2>{}));
  for (double t : {1.2, 2.7, 3.9}) expect_velocity_is_derivative(m, t);
}

TEST(Motion, table_of_one_point_is_a_constant_shift) {
  Motion<3> m;
  m.kind = MotionKind::table;
  m.times = {0};
  m.positions = {{{1, 2, 3}}};
  for (double t : {-1.0, 0.0, 1.0}) {
    EXPECT_EQ(displacement(m, t), (Vec<3>{{1, 2, 3}}));
    EXPECT_EQ(velocity(m, t), (Vec<3>{}));
  }
}

}  // namespace
}  // namespace moreau
