// Coefficients that depend on the speeds with which a step begins, and strengths as impulses.
#include "moreau/law/step_law.hpp"

#include <gtest/gtest.h>

namespace moreau {
namespace {

TEST(SpeedTable, is_linear_between_its_points_and_constant_beyond) {
  const SpeedTable table{{1.0, 2.0, 4.0}, {0.8, 0.4, 0.6}};
  for (const auto& [v, e] : {std::pair{0.0, 0.8}, {1.0, 0.8}, {1.5, 0.6}, {2.0, 0.4}, {3.0, 0.5}, {4.0, 0.6}, {9.0, 0.6}})
    EXPECT_DOUBLE_EQ(table.at(v), e) << v;
}

TEST(StepLaw, static_friction_holds_up_to_its_speed) {
  PairLaw law{.friction = 0.3, .static_friction = 0.5, .static_speed = 1e-3};
  EXPECT_EQ(law_in_step(law, 0, 0.0, 1, false).friction, 0.5);
  EXPECT_EQ(law_in_step(law, 0, 1e-3, 1, false).friction, 0.5);
  EXPECT_EQ(law_in_step(law, 0, 1.1e-3, 1, false).friction, 0.3);
  law.friction_at_speed = {{0.0, 1.0}, {0.4, 0.2}};
  EXPECT_DOUBLE_EQ(law_in_step(law, 0, 0.5, 1, false).friction, 0.3);
}

TEST(StepLaw, restitution_follows_the_speed_of_approach) {
  PairLaw law{.normal_restitution = 0.1};
  law.restitution_at_speed = {{0.0, 1.0}, {1.0, 0.5}};
  EXPECT_DOUBLE_EQ(law_in_step(law, 0.5, 0, 1, false).normal_restitution, 0.75);
  EXPECT_DOUBLE_EQ(law_in_step(law, -3, 0, 1, false).normal_restitution, 1.0);
}

TEST(StepLaw, strengths_are_forces_times_the_step) {
  PairLaw law{.friction = 0.5, .friction_cap = 8.0, .cohesion = 2.0, .joint = {.cohesion = 3.0, .tension = 4.0}};
  const StepLaw broken = law_in_step(law, 0, 0, 0.25, false), intact = law_in_step(law, 0, 0, 0.25, true);
  EXPECT_EQ(broken.tension, 0.5);
  EXPECT_EQ(broken.shear, 0.0);
  EXPECT_EQ(broken.cap, 2.0);
  EXPECT_EQ(intact.tension, 0.5 + 1.0);
  EXPECT_EQ(intact.shear, 0.25);  // h (3 - 0.5 4)
}

// Seen from the tip of the tension, |P_T| <= h cohesion + mu P_N and P_N >= -h tension.
TEST(Joint, border_is_that_of_mohr_and_coulomb_with_a_tension_cut_off) {
  const PairLaw law{.friction = 0.4, .joint = {.cohesion = 3.0, .tension = 5.0}};
  const double h = 0.1;
  const StepLaw s = law_in_step(law, 0, 0, h, true);
  for (const double force : {-5.0, -2.0, 0.0, 7.0})
    EXPECT_NEAR(s.bound().at(h * force + s.tension), h * (3.0 + 0.4 * force), 1e-15);
}

TEST(StepLaw, ellipse_of_friction_has_the_coefficients_given_as_half_axes) {
  PairLaw law{.friction = 0.2, .cross_friction = 0.8};
  const StepLaw s = law_in_step(law, 0, 0, 1, false);
  EXPECT_DOUBLE_EQ(s.friction * s.along, 0.2);
  EXPECT_DOUBLE_EQ(s.friction / s.along, 0.8);
}

}  // namespace
}  // namespace moreau
