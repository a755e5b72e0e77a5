// Ground motion from accelerations: velocity and displacement against integrals done by hand.
#include "moreau/drive/accelerogram.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace moreau {
namespace {

TEST(Accelerogram, constant_acceleration_then_uniform_motion) {
  const auto m = accelerogram<2>({1, 3}, {2, 2}, {{1, 0}});
  EXPECT_EQ(displacement(m, 0.5), (Vec<2>{}));
  EXPECT_EQ(velocity(m, 0.5), (Vec<2>{}));
  EXPECT_DOUBLE_EQ(velocity(m, 2.0)[0], 2.0);
  EXPECT_DOUBLE_EQ(displacement(m, 2.0)[0], 1.0);
  EXPECT_DOUBLE_EQ(velocity(m, 9.0)[0], 4.0);
  EXPECT_DOUBLE_EQ(displacement(m, 9.0)[0], 4.0 + 6.0 * 4.0);
  EXPECT_EQ(displacement(m, 9.0)[1], 0.0);
}

TEST(Accelerogram, triangle_pulse_is_cubic) {
  // a = t up to 1, then 2 - t up to 2: v(2) = 1, x(1) = 1/6, x(2) = 1.
  const auto m = accelerogram<3>({0, 1, 2}, {0, 1, 0}, {{0, 0, 1}});
  for (double t = 0.0; t <= 1.0; t += 0.125) {
    EXPECT_NEAR(velocity(m, t)[2], t * t / 2, 1e-15);
    EXPECT_NEAR(displacement(m, t)[2], t * t * t / 6, 1e-15);
  }
  EXPECT_NEAR(velocity(m, 2.0)[2], 1.0, 1e-15);
  EXPECT_NEAR(displacement(m, 2.0)[2], 1.0, 1e-15);
  EXPECT_NEAR(displacement(m, 5.0)[2], 4.0, 1e-14);
}

TEST(Accelerogram, velocity_is_the_derivative_and_continuous_across_uneven_points) {
  const auto m = accelerogram<2>({0, 0.1, 0.15, 0.4, 0.41, 1}, {1, -3, 2, 2, -5, 0.5}, {{0.6, 0.8}});
  for (double t = 0.003; t < 1.2; t += 0.0123) {
    const double h = 1e-5;
    const Vec<2> slope = (0.5 / h) * (displacement(m, t + h) - displacement(m, t - h));
    EXPECT_NEAR(norm(slope - velocity(m, t)), 0.0, 1e-7) << t;
  }
  for (const double t : m.times) {
    EXPECT_NEAR(norm(velocity(m, t + 1e-12) - velocity(m, t - 1e-12)), 0.0, 1e-10);
    EXPECT_NEAR(norm(displacement(m, t + 1e-12) - displacement(m, t - 1e-12)), 0.0, 1e-10);
  }
}

TEST(Accelerogram, finely_sampled_sine_gives_the_sine_back) {
  // a = -w^2 sin(w t) from v = 0 needs the drift w t taken out: x = sin(w t) - w t. Error of linear pieces: (w dt)^2 / 12.
  const double w = 2.0, dt = 1e-3;
  std::vector<double> times, accelerations;
  for (int i = 0; i <= 5000; ++i) {
    times.push_back(i * dt);
    accelerations.push_back(-w * w * std::sin(w * i * dt));
  }
  const auto m = accelerogram<2>(times, accelerations, {{1, 0}});
  for (const double t : {0.5, 1.7, 4.9}) EXPECT_NEAR(displacement(m, t)[0], std::sin(w * t) - w * t, 5e-6);
}

}  // namespace
}  // namespace moreau
