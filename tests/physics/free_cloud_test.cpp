// A cloud of grains that fall towards each other in empty space: nothing outside, so both momenta stay.
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
struct Momenta {
  Vec<D> linear{};
  Spin<D> angular{};
  double scale = 0.0;  // sum of |m u|, to compare roundings with
  explicit Momenta(const Bodies<D>& b) {
    for (std::size_t i = 0; i < b.size(); ++i) {
      const Vec<D> p = b.parameters.mass[i] * b.state.velocity[i];
      linear += p;
      angular += moment(b.state.position[i], p) + b.parameters.inertia[i] * b.state.spin[i];
      scale += norm(p);
    }
  }
};

template <int D>
void keeps_momenta(PairLaw law, ContactRule rule) {
  RandomStream random(7);
  Sample<D> s(1e-3, law, {});
  s.model.rule = rule;
  s.model.solver = {.tolerance = 1e-4, .max_sweeps = 200};  // momenta do not wait for convergence
  const int across = D == 2 ? 12 : 6, count = D == 2 ? 144 : 216;
  fill_lattice<D>(s, random, count, across, 1.0, 0.6, 0.99, 0.0, 0.5);
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    for (int d = 0; d < D; ++d) s.bodies.state.velocity[i][d] += 0.3 + 0.6 * (0.5 * across - s.bodies.state.position[i][d]);
    for (int d = 0; d < spin_dimension<D>; ++d) s.bodies.state.spin[i][d] = random.uniform(-2, 2);
  }
  auto simulation = s.start();
  const Momenta<D> before(s.bodies);
  std::size_t struck = 0;
  Spin<D> lever{};
  for (int n = 0; n < 400; ++n) {
    const StepReport report = simulation.step();
    struck += report.stick + report.slide;
    const auto& table = simulation.state().contacts;
    for (std::size_t i = 0; i < table.size(); ++i) lever += table.gap[i] * moment(table.normal[i], table.impulse[i]);
    ASSERT_LE(std::abs(report.energy.error()), 1e-12 * report.energy.initial) << n;
  }
  EXPECT_GT(struck, 500u);
  const Momenta<D> after(simulation.state().bodies);
  EXPECT_LE(norm(after.linear - before.linear), 1e-13 * before.scale);
  // With friction, overlapping pairs turn by gap n x P (two_beads_test.cpp); nothing else changes the angular momentum.
  EXPECT_LE(norm(after.angular - before.angular - lever), 1e-13 * across * before.scale);
  if (law.friction == 0.0) {
    EXPECT_LE(norm(lever), 1e-14 * before.scale);
  } else {
    EXPECT_LE(norm(lever), 1e-3 * before.scale);
  }
}

TEST(FreeCloud, smooth_discs_keep_both_momenta) { keeps_momenta<2>({0.0, 0.5, 0.0}, ContactRule::midpoint); }
TEST(FreeCloud, smooth_balls_keep_both_momenta) { keeps_momenta<3>({0.0, 0.5, 0.0}, ContactRule::midpoint); }
TEST(FreeCloud, rough_discs_keep_both_momenta) { keeps_momenta<2>({0.5, 0.3, 0.2}, ContactRule::midpoint); }
TEST(FreeCloud, rough_balls_keep_both_momenta) { keeps_momenta<3>({0.5, 0.3, 0.2}, ContactRule::midpoint); }
TEST(FreeCloud, rough_discs_keep_both_momenta_under_the_predictive_rule) {
  keeps_momenta<2>({0.5, 0.3, 0.2}, ContactRule::predictive);
}
TEST(FreeCloud, rough_balls_keep_both_momenta_under_the_predictive_rule) {
  keeps_momenta<3>({0.5, 0.3, 0.2}, ContactRule::predictive);
}

}  // namespace
}  // namespace moreau
