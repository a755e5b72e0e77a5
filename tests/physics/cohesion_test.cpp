// Constant cohesion, f_N >= -c: a contact pulls as long as there is one.
//
//   =======        m = 1
//     (_)
#include <gtest/gtest.h>

#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
Sample<D> hanging_ball(double cohesion) {
  Sample<D> s(1e-3, {.friction = 0.3, .cohesion = cohesion});
  s.model.contact_distance = 1e-6;
  s.wall(at<D>(0, 0), at<D>(0, -1)).ball(at<D>(0, -0.5), 0.5);
  return s;
}

template <int D>
void hangs_or_falls() {
  auto hangs = hanging_ball<D>(1.01 * g).start(), falls = hanging_ball<D>(0.4 * g).start();
  for (int n = 0; n < 100; ++n) {
    const StepReport report = hangs.step();
    ASSERT_TRUE(report.certificate.converged);
    ASSERT_EQ(report.stick, 1u);
    falls.step();
  }
  EXPECT_LE(norm(hangs.state().bodies.state.velocity[0]), 1e-14);
  EXPECT_NEAR(hangs.contact_records().force[0][D - 1], g, 1e-10);  // upwards: the ceiling pulls
  // One step of g - c/m, in which the contact opens, then free fall.
  EXPECT_NEAR(falls.state().bodies.state.velocity[0][D - 1], -(0.6 + 99.0) * 1e-3 * g, 1e-12);
  EXPECT_NEAR(falls.state().energy.error(), 0.0, 1e-12);
}
TEST(Cohesion, ball_hangs_from_the_ceiling_if_cohesion_exceeds_its_weight) {
  hangs_or_falls<2>();
  hangs_or_falls<3>();
}

// Friction under tension: |f_T| <= mu (f_N + c) at each corner. Sideways pull q m, weight m g, corners of the face each with c.
template <int D>
void friction_under_tension() {
  const double corners = D == 2 ? 2 : 4, c = 2.0 * g / corners, mu = 0.4, limit = mu * (corners * c - g);
  for (const double factor : {0.98, 1.02}) {
    Sample<D> s(1e-3, {.friction = mu, .cohesion = c}, at<D>(factor * limit, -g));
    s.model.contact_distance = 1e-6;
    s.wall(at<D>(0, 0), at<D>(0, -1));
    Vec<D> sides = at<D>(1.0, 0.01);  // so flat that the pull at its centre does not turn it
    for (int d = 1; d + 1 < D; ++d) sides[d] = 1.0;
    add_box<D>(s, sides, at<D>(0, -0.005), {}, 100.0);
    auto simulation = s.start();
    for (int n = 0; n < 50; ++n) ASSERT_TRUE(simulation.step().certificate.converged);
    const double v = simulation.state().bodies.state.velocity[0][0];
    if (factor < 1.0)
      EXPECT_LE(std::abs(v), 1e-12);
    else
      EXPECT_NEAR(v, 0.05 * (factor - 1.0) * limit, 1e-8);
    EXPECT_NEAR(simulation.state().bodies.state.velocity[0][D - 1], 0.0, 1e-12);
  }
}
TEST(Cohesion, bounds_friction_by_what_is_left_under_tension) {
  friction_under_tension<2>();
  friction_under_tension<3>();
}

TEST(Cohesion, under_the_predictive_rule_does_not_act_across_a_gap) {
  Sample<2> s(1e-3, {.friction = 0.3, .cohesion = 100.0}, {});
  s.model.rule = ContactRule::predictive;
  s.floor().ball(at<2>(0, 0.5 + 1e-4), 0.5);
  auto simulation = s.start();
  const StepReport report = simulation.step();
  EXPECT_EQ(report.contacts, 1u);
  EXPECT_EQ(norm(simulation.state().bodies.state.velocity[0]), 0.0);
}

}  // namespace
}  // namespace moreau
