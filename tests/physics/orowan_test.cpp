// Friction with a cap (Coulomb and Orowan, Alart 2015): it makes the ball between a floor and a driven wall solvable above the
// critical friction, where Coulomb's law alone has no bounded solution (alart_ball_test.cpp).
//
//        |  wall moves left at V = 2        m = 1, weight gives w = 1 in one step
//     ( )|
//    -----
#include <gtest/gtest.h>

#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

constexpr double h = 1.0 / 1024;

template <int D>
Sample<D> corner(double mu, double capped_impulse) {
  Sample<D> s(h, {.friction = mu, .friction_cap = capped_impulse / h}, at<D>(0, -1.0 / h));
  const int push = s.motion(steady<D>(at<D>(-2.0, 0)));
  s.wall(at<D>(0.5, 0), at<D>(-1, 0), push).floor().ball(at<D>(0, 0.5), 0.5);
  return s;
}

template <int D>
void expect_impulses(const Sample<D>& s, double n1, double t1, double n2, double t2) {
  auto simulation = s.start();
  const StepReport report = simulation.step();
  EXPECT_TRUE(report.certificate.converged);
  EXPECT_LE(report.certificate.relative_residual(), 1e-12);
  const auto& table = simulation.state().contacts;
  ASSERT_EQ(table.size(), 2u);
  const std::size_t floor = table.normal[0][D - 1] > 0.5 ? 0 : 1;
  EXPECT_NEAR(table.impulse[floor][D - 1], n1, 1e-8);
  EXPECT_NEAR(table.impulse[floor][0], t1, 1e-8);
  EXPECT_NEAR(-table.impulse[1 - floor][0], n2, 1e-8);
  EXPECT_NEAR(table.impulse[1 - floor][D - 1], t2, 1e-8);
  EXPECT_NEAR(report.energy.error(), 0.0, 1e-9);
}

TEST(OrowanBall, has_a_solution_above_the_critical_friction) {
  for (const double mu : {1.0, 1.5, 3.0}) {
    expect_impulses(corner<2>(mu, 5.0), 6, 5, 7, -5);
    expect_impulses(corner<3>(mu, 5.0), 6, 5, 7, -5);
  }
}

TEST(OrowanBall, cap_counts_only_where_it_is_reached) {
  expect_impulses(corner<2>(0.9, 5.0), 6, 5, 7, -5);
  expect_impulses(corner<2>(0.9, 50.0), 10, 9, 11, -9);  // Coulomb: N1 = w / (1 - mu)
}

// A block on an incline, seen along it; each of its two (four) corners carries at most the cap.
template <int D>
void block_slides_at_the_cap() {
  const double slope = std::atan(0.4), cap = 0.1 * g;
  Sample<D> s(1e-3, {.friction = 0.5, .friction_cap = cap}, g * at<D>(std::sin(slope), -std::cos(slope)));
  s.model.contact_distance = 1e-6;
  s.floor();
  Vec<D> sides = at<D>(1.0, 0.1);
  for (int d = 1; d + 1 < D; ++d) sides[d] = 1.0;
  const std::size_t block = add_box<D>(s, sides, at<D>(0, 0.05), {}, 10.0);  // mass 1
  auto simulation = s.start();
  for (int n = 0; n < 100; ++n) ASSERT_TRUE(simulation.step().certificate.converged);
  const double corners = D == 2 ? 2 : 4, expected = g * std::sin(slope) - corners * cap;
  // With four corners the caps suffice: tan = 0.4 < 0.5 and 0.4 g > g sin.
  EXPECT_NEAR(simulation.state().bodies.state.velocity[block][0], std::max(0.0, expected) * 0.1, 1e-9) << D;
}
TEST(OrowanBlock, slides_at_the_cap_though_coulomb_would_hold_it) {
  block_slides_at_the_cap<2>();
  block_slides_at_the_cap<3>();
}

// The general kind of problem with a cap that is never reached has the solutions of the plain kinds.
template <int D>
void same_as_plain(bool blocks) {
  const auto run = [&](double cap) {
    Sample<D> s(1e-3, {.friction = 0.4, .normal_restitution = 0.3, .friction_cap = cap});
    s.floor().wall(at<D>(0, 0), at<D>(1, 0.2));
    for (int k = 0; k < 4; ++k) {
      const Vec<D> x = at<D>(0.7 + 0.15 * k, 0.6 + 1.05 * k);
      if (blocks)
        add_box<D>(s, at<D>(0.8, 0.7) + (D == 3 ? 0.9 : 0.0) * at<D>(0, 0), x, {});
      else
        s.ball(x, 0.5);
    }
    auto simulation = s.start();
    for (int n = 0; n < 400; ++n) EXPECT_TRUE(simulation.step().certificate.converged);
    return simulation.state().bodies.state.position;
  };
  const auto plain = run(HUGE_VAL), general = run(1e9);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_LE(norm(plain[i] - general[i]), 1e-7) << i;
}
TEST(GeneralKind, with_an_idle_cap_moves_balls_as_the_plain_kind) {
  same_as_plain<2>(false);
  same_as_plain<3>(false);
}
TEST(GeneralKind, with_an_idle_cap_moves_blocks_as_the_plain_kind) { same_as_plain<2>(true); }

}  // namespace
}  // namespace moreau
