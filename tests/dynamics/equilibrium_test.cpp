// Statics in one step (Moreau 2004, sec. 6.2): is this position a possible equilibrium, and with which forces?
//
//        o           three discs: the upper contacts need friction tan 15, the floor tan 15 / 3, whatever the size
//       o o
//    ---------
#include "moreau/engines/equilibrium.hpp"

#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

Sample<2> pyramid(int base, double friction, double floor_friction, double apart = 0.0) {
  Sample<2> s(1e-3, {});
  s.laws({friction, 0, 0}, {floor_friction, 0, 0}).floor();
  for (int row = 0; row < base; ++row)
    for (int i = 0; i < base - row; ++i)
      s.ball(at<2>((i + 0.5 * row) * (1.0 + apart), 0.5 + row * std::sqrt(0.75)), 0.5, {}, {}, 1.7);
  return s;
}

template <int D>
EquilibriumReport<D> test(const Sample<D>& s, double tolerance = 1e-3) {
  return test_equilibrium<D>(s.model, s.start().state(), tolerance);
}

template <int D>
void expect_balance(const Sample<D>& s, const EquilibriumReport<D>& report, double tolerance) {
  std::vector<Vec<D>> resultant(s.bodies.size());
  double weight = 0.0;
  Vec<D> from_walls{};
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    if (s.bodies.is_free(i))
      resultant[i] = s.bodies.parameters.mass[i] * s.model.gravity, weight += s.bodies.parameters.mass[i] * g;
  for (std::size_t i = 0; i < report.forces.size(); ++i) {
    const Vec<D>& f = report.forces.force[i];
    resultant[static_cast<std::size_t>(report.forces.a[i])] += f;
    if (is_wall(report.forces.b[i]))
      from_walls += f;
    else
      resultant[static_cast<std::size_t>(report.forces.b[i])] -= f;
  }
  for (const auto& f : resultant) EXPECT_LE(norm(f), tolerance * weight);
  EXPECT_NEAR(from_walls[D - 1], weight, tolerance * weight);
  EXPECT_NEAR(from_walls[0], 0.0, tolerance * weight);
}

TEST(Equilibrium, pyramid_of_discs_stands_on_a_rough_floor) {
  for (const int base : {2, 3, 5}) {
    const auto s = pyramid(base, 2.0, 2.0);
    const auto report = test(s);
    EXPECT_TRUE(report.possible) << base << ' ' << report.max_speed / report.velocity_scale;
    EXPECT_NEAR(report.velocity_scale, 1e-3 * g, 1e-15);
    expect_balance(s, report, 1e-3);
    const auto smooth_floor = test(pyramid(base, 0.5, 0.0));
    EXPECT_FALSE(smooth_floor.possible) << base;
    EXPECT_GT(smooth_floor.max_speed, 0.01 * smooth_floor.velocity_scale);
    EXPECT_FALSE(test(pyramid(base, 0.0, 2.0)).possible) << base;
  }
}

TEST(Equilibrium, three_discs_need_friction_tan_15_above_and_a_third_of_it_below) {
  const double critical = std::tan(M_PI / 12);
  const double tolerance = 1e-7;
  EXPECT_TRUE(test(pyramid(2, 1.001 * critical, 1.0), tolerance).possible);
  EXPECT_FALSE(test(pyramid(2, 0.999 * critical, 1.0), tolerance).possible);
  EXPECT_TRUE(test(pyramid(2, 1.0, 1.001 * critical / 3), tolerance).possible);
  EXPECT_FALSE(test(pyramid(2, 1.0, 0.999 * critical / 3), tolerance).possible);
}

// Touching is understood up to a millionth of the smallest radius, also between grains.
TEST(Equilibrium, rounding_gaps_do_not_open_contacts) {
  EXPECT_TRUE(test(pyramid(3, 2.0, 2.0, 1e-9)).possible);
  EXPECT_FALSE(test(pyramid(3, 2.0, 2.0, 1e-3)).possible);
}

TEST(Equilibrium, velocities_and_sources_of_the_state_do_not_matter) {
  auto s = pyramid(3, 2.0, 2.0);
  Source<2> source;
  source.rate = 1e6, source.sizes.low = 0.1, source.density = 1.0;
  s.model.sources.push_back(source);
  for (auto& v : s.bodies.state.velocity) v = at<2>(3, -5);
  for (auto& w : s.bodies.state.spin) w = {{2}};
  const auto report = test(s);
  EXPECT_TRUE(report.possible);
  EXPECT_EQ(report.step.bodies, 6u);
}

//    \ o /       smooth V of half-opening phi to the vertical: each side presses with m g / (2 sin phi)
//     \ /
TEST(Equilibrium, ball_in_a_smooth_groove_presses_both_sides) {
  const double phi = 0.6;
  Sample<3> s(1e-3, {});
  s.wall({}, at<3>(std::cos(phi), std::sin(phi))).wall({}, at<3>(-std::cos(phi), std::sin(phi)));
  s.ball(at<3>(0, 0.5 / std::sin(phi)), 0.5, {}, {}, 1.7);
  const auto report = test(s, 1e-9);
  EXPECT_TRUE(report.possible);
  ASSERT_EQ(report.forces.size(), 2u);
  for (const auto& f : report.forces.force) EXPECT_NEAR(norm(f), 1.7 * g / (2 * std::sin(phi)), 1e-8);
  expect_balance(s, report, 1e-8);
}

TEST(Equilibrium, ball_on_a_slope_rolls_however_rough) {
  Sample<3> s(1e-3, {10.0, 0, 0}, g * at<3>(std::sin(0.01), -std::cos(0.01)));
  EXPECT_FALSE(test(s.floor().ball(at<3>(0, 0.5), 0.5)).possible);
  Sample<3> level(1e-3, {0.0, 0, 0});
  EXPECT_TRUE(test(level.floor().ball(at<3>(0, 0.5), 0.5)).possible);
}

// Recalled forces are the history: a disc pinched between walls without gravity stays pinched.
TEST(Equilibrium, recalled_pinching_is_an_answer) {
  Sample<2> s(1e-3, {0.5, 0, 0}, {});
  s.wall(at<2>(-0.5, 0), at<2>(1, 0)).wall(at<2>(0.5, 0), at<2>(-1, 0)).ball({}, 0.5);
  State<2> state = s.start().state();
  state.contacts.resize(2);
  state.contacts.a = {0, 0}, state.contacts.b = {~1, ~0};
  state.contacts.normal = {{{-1, 0}}, {{1, 0}}};
  state.contacts.impulse = {{{-3, 0}}, {{3, 0}}};
  const auto report = test_equilibrium<2>(s.model, state);
  EXPECT_TRUE(report.possible);
  EXPECT_NEAR(norm(report.forces.force[0]), 3000.0, 1e-9);
}

}  // namespace
}  // namespace moreau
