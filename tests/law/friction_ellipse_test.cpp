// The ellipse of friction is Coulomb's circle in scaled components, and resists with the greatest power.
#include "moreau/law/friction_ellipse.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "moreau/base/random.hpp"

namespace moreau {
namespace {

TEST(FrictionEllipse, scaled_coulomb_is_the_point_of_the_ellipse_with_the_greatest_power) {
  RandomStream random(3);
  for (int n = 0; n < 200; ++n) {
    const double mu_1 = random.uniform(0.05, 1), mu_2 = random.uniform(0.05, 1), mu = std::sqrt(mu_1 * mu_2),
                 s = std::sqrt(mu_1 / mu_2);
    const double w[2] = {random.uniform(-1, 1), random.uniform(-1, 1)};
    // Coulomb's law with mu for the velocity (s w_1, w_2 / s), then back.
    const double length = std::hypot(s * w[0], w[1] / s);
    const double p[2] = {-mu * (s * w[0]) / length * s, -mu * (w[1] / s) / length / s};
    const Vec<3> normal{{0, 0, 1}}, direction{{1, 0, 0}};
    EXPECT_NEAR(ellipse_length({{p[0], p[1], 0}}, normal, direction, s), mu, 1e-14);
    const double named = std::hypot(mu_1 * w[0], mu_2 * w[1]);
    EXPECT_NEAR(p[0], -mu_1 * mu_1 * w[0] / named, 1e-14);
    EXPECT_NEAR(p[1], -mu_2 * mu_2 * w[1] / named, 1e-14);
    double least = 0.0;
    for (int k = 0; k < 3600; ++k) {
      const double angle = k * M_PI / 1800;
      least = std::min(least, mu_1 * std::cos(angle) * w[0] + mu_2 * std::sin(angle) * w[1]);
    }
    EXPECT_NEAR(p[0] * w[0] + p[1] * w[1], least, 2e-6);
    EXPECT_LE(p[0] * w[0] + p[1] * w[1], least + 1e-14);
  }
}

TEST(FrictionEllipse, direction_is_laid_into_the_tangent_plane) {
  const Vec<3> normal = normalized(Vec<3>{{1, 0, 1}}), direction{{1, 0, 0}};
  const Vec<3> t = tangent_along(direction, normal);
  EXPECT_NEAR(dot(t, normal), 0.0, 1e-15);
  EXPECT_NEAR(t[0], std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(dot(tangent_along(direction, direction), direction), 0.0, 1e-15);  // none is nearest: any
}

}  // namespace
}  // namespace moreau
