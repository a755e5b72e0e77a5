// The normal part of the constant in the formal velocity, branch by branch: what a contact is allowed to do about its gap.
#include "moreau/dynamics/formal_shift.hpp"

#include <gtest/gtest.h>

#include "moreau/base/random.hpp"

namespace moreau {
namespace {

constexpr double h = 1e-3, gravity = 10.0, radius = 0.1;

TEST(FormalShift, of_the_midpoint_rule_is_the_bounce_and_knows_no_gap) {
  const ShiftRule rule(true, false, h, gravity, radius);
  for (const double gap : {-1e-3, 0.0, 1e-3}) EXPECT_EQ(formal_shift(rule, gap, -2.0, 0.5), -1.0);
  const ShiftRule later(false, false, h, gravity, radius);  // the shocks of the step are over
  EXPECT_EQ(formal_shift(later, -1e-3, -2.0, 0.5), 0.0);
}

// U_N + gap / h >= 0: what is open may close by the end of the step.
TEST(FormalShift, of_the_predictive_rule_lets_a_gap_close) {
  const ShiftRule rule(true, true, h, gravity, radius);
  EXPECT_DOUBLE_EQ(formal_shift(rule, 2e-4, -1.0, 0.0), 0.2);
  EXPECT_EQ(formal_shift(rule, 0.0, -1.0, 0.0), 0.0);
}

// What is nearer than the slack touches: its gap is left as it is. What is farther may close to nothing, not to the slack.
TEST(FormalShift, of_the_predictive_rule_leaves_a_gap_of_the_slack) {
  const double slack = slack_of_fall * h * h * gravity;
  const ShiftRule rule(true, true, h, gravity, radius);
  EXPECT_EQ(formal_shift(rule, 0.5 * slack, -1e-3, 0.0), 0.0);
  EXPECT_EQ(formal_shift(rule, 0.99 * slack, 0.0, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(formal_shift(rule, 1.01 * slack, 0.0, 0.0), 1.01 * slack / h);
  // Springs of another engine have left overlaps, not gaps.
  const ShiftRule after_springs(true, true, h, gravity, radius, 1e-4);
  EXPECT_EQ(formal_shift(after_springs, -1e-4, 0.0, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(formal_shift(after_springs, 2.0 * slack, 0.0, 0.0), 2.0 * slack / h);
  // What bounces does so from where it is.
  EXPECT_DOUBLE_EQ(formal_shift(rule, 0.5 * slack, -2.0, 0.5), -1.0);
}

// A small overlap stays, one that the speed h g undoes goes at once, a large one by a fifth.
TEST(FormalShift, takes_overlaps_back_by_their_size) {
  const ShiftRule rule(true, true, h, gravity, radius);
  const double slack = rule.slack * h, fall = h * h * gravity;
  EXPECT_DOUBLE_EQ(slack, slack_of_fall * fall);
  EXPECT_EQ(formal_shift(rule, -0.5 * slack, 0.0, 0.0), 0.0);
  EXPECT_EQ(formal_shift(rule, -slack, 0.0, 0.0), 0.0);
  EXPECT_NEAR(formal_shift(rule, -0.5 * fall, 0.0, 0.0), -(0.5 * fall - slack) / h, 1e-16);
  EXPECT_NEAR(formal_shift(rule, -3.0 * fall, 0.0, 0.0), -fall / h, 1e-16);  // no faster than weight in a step ...
  EXPECT_NEAR(formal_shift(rule, -50.0 * fall, 0.0, 0.0), -overlap_recovery * (50.0 * fall - slack) / h,
              1e-14);  // ... or a fifth
}

// Without gravity the slack is a share of the mean radius.
TEST(FormalShift, leaves_roundings_of_the_radius_where_nothing_falls) {
  const ShiftRule rule(true, true, h, 0.0, radius);
  EXPECT_DOUBLE_EQ(rule.slack * h, slack_of_radius * radius);
  EXPECT_EQ(formal_shift(rule, -0.9e-8 * radius, 0.0, 0.0), 0.0);
  EXPECT_LT(formal_shift(rule, -1e-6 * radius, 0.0, 0.0), 0.0);
}

// It bounces where it would meet within the step, and only there; never with less than what the overlap asks for.
TEST(FormalShift, bounces_only_where_the_gap_closes_within_the_step) {
  const ShiftRule rule(true, true, h, gravity, radius);
  EXPECT_DOUBLE_EQ(formal_shift(rule, 1e-4, -2.0, 0.5), -1.0);  // 0.1 <= 2: meets
  EXPECT_DOUBLE_EQ(formal_shift(rule, 1e-2, -2.0, 0.5), 10.0);  // does not
  EXPECT_DOUBLE_EQ(formal_shift(rule, -1.0, -2.0, 0.5), -overlap_recovery * (1.0 / h - rule.slack));
  const ShiftRule later(false, true, h, gravity, radius);
  EXPECT_DOUBLE_EQ(formal_shift(later, 1e-4, -2.0, 0.5), 0.1);
}

TEST(FormalShift, eight_numbers_have_the_bits_of_one) {
  RandomStream random(1);
  for (const bool predictive : {false, true})
    for (const bool strikes : {false, true}) {
      const ShiftRule rule(strikes, predictive, h, gravity, radius);
      for (int trial = 0; trial < 2000; ++trial) {
        Lanes gap, approach, restitution;
        for (int l = 0; l < lanes; ++l) {
          gap[l] = random.uniform(-1, 1) * (l % 2 ? 1e-5 : 1e-2);
          approach[l] = random.uniform(-3, 3), restitution[l] = l % 3 ? random.uniform(0, 1) : 0.0;
        }
        const Lanes all = formal_shift(rule, gap, approach, restitution);
        for (int l = 0; l < lanes; ++l) {
          const double g = gap[l], u = approach[l], e = restitution[l];
          ASSERT_EQ(all[l], formal_shift(rule, g, u, e));
        }
      }
    }
}

}  // namespace
}  // namespace moreau
