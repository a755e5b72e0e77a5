// Two free beads of unequal masses and sizes meet: Newton's restitution along the line of centres, the three-parameter law across
// it, with the reduced mass in place of the mass.
//
//      (  a  )->  <-( b )         n towards a
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

template <int D>
Vec<D> random_vector(RandomStream& random, double size = 1.0) {
  Vec<D> v;
  for (int d = 0; d < D; ++d) v[d] = random.uniform(-size, size);
  return v;
}

template <int D>
Vec<D> momentum(const Bodies<D>& b) {
  Vec<D> p{};
  for (std::size_t i = 0; i < b.size(); ++i) p += b.parameters.mass[i] * b.state.velocity[i];
  return p;
}
template <int D>
Spin<D> angular_momentum(const Bodies<D>& b) {
  Spin<D> l{};
  for (std::size_t i = 0; i < b.size(); ++i)
    l += b.parameters.mass[i] * moment(b.state.position[i], b.state.velocity[i]) + b.parameters.inertia[i] * b.state.spin[i];
  return l;
}

template <int D>
void collide() {
  RandomStream random(D);
  int stuck = 0, met = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const double h = 1e-3;
    const PairLaw law{random.uniform(), random.uniform(), random.uniform()};
    const double ra = random.uniform(0.1, 1), rb = random.uniform(0.1, 1), ma = random.uniform(0.1, 5),
                 mb = random.uniform(0.1, 5);
    const Vec<D> n = normalized(random_vector<D>(random)), va = random_vector<D>(random), vb = random_vector<D>(random);
    const auto sa = random_vector<spin_dimension<D>>(random, 3), sb = random_vector<spin_dimension<D>>(random, 3);
    const Vec<D> place = random_vector<D>(random);
    Sample<D> s(h, law, {});
    s.ball(place + ra * n - (0.5 * h) * va, ra, va, sa, ma).ball(place - (rb - 1e-15) * n - (0.5 * h) * vb, rb, vb, sb, mb);
    auto simulation = s.start();
    const StepReport report = simulation.step();
    const Bodies<D>& after = simulation.state().bodies;
    ASSERT_LE(norm(momentum(after) - momentum(s.bodies)), 1e-14) << trial;
    ASSERT_LE(norm(angular_momentum(after) - angular_momentum(s.bodies)), 3e-14) << trial;
    ASSERT_LE(std::abs(report.energy.error()), 1e-13);
    if (report.contacts == 0) continue;  // rounding placed them apart
    const Vec<D> u = contact_velocity<D>(s.bodies, s.bodies.state, 0, 1, n), w = contact_velocity<D>(after, after.state, 0, 1, n);
    const double approach = -dot(u, n);
    if (approach <= 0) {
      ASSERT_LE(norm(after.state.velocity[0] - va), 0.0);
      continue;
    }
    ++met;
    const Vec<D> slip = u + approach * n;
    const double grip = law.friction * (1 + law.normal_restitution) * approach * tangent_factor<D>;
    const bool sticks = (1 + law.tangential_restitution) * norm(slip) <= grip;
    stuck += sticks;
    const Vec<D> tangent = sticks ? -law.tangential_restitution * slip : slip - (grip / norm(slip)) * slip;
    ASSERT_LE(norm(w - tangent - (law.normal_restitution * approach) * n), 1e-13) << trial;
    const double reduced = ma * mb / (ma + mb), normal = dot(simulation.state().contacts.impulse[0], n);
    ASSERT_NEAR(normal, reduced * (1 + law.normal_restitution) * approach, 1e-14 * (1 + normal));
    const double tangent_mass = reduced / tangent_factor<D>;
    const double loss = 0.5 * reduced * approach * approach * (1 - law.normal_restitution * law.normal_restitution) +
                        0.5 * tangent_mass * (dot(slip, slip) - dot(tangent, tangent));
    ASSERT_NEAR(report.energy.dissipated, loss, 1e-13);
    ASSERT_GE(loss, 0.0);
  }
  EXPECT_GT(met, 1000);
  EXPECT_GT(stuck, met / 10);
  EXPECT_LT(stuck, met * 9 / 10);
}
TEST(TwoBeads, discs_follow_newton_and_keep_both_momenta) { collide<2>(); }
TEST(TwoBeads, balls_follow_newton_and_keep_both_momenta) { collide<3>(); }

// What friction does to beads caught with an overlap: each receives the tangential impulse at its own surface, so the pair turns
// by gap n x P more than it should. The midpoint rule tolerates the overlap, hence this error of order h.
TEST(TwoBeads, overlap_gives_friction_a_lever_of_the_gap) {
  const double h = 1e-2;
  Sample<2> s(h, {0.5, 0.0, 0.0}, {});
  s.ball({{0.45, 0.1}}, 0.5, {{-1, 1}}).ball({{-0.5, 0.0}}, 0.5, {{1, 0}});
  auto simulation = s.start();
  simulation.step();
  const auto& table = simulation.state().contacts;
  ASSERT_EQ(table.size(), 1u);
  EXPECT_LT(table.gap[0], -1e-3);
  const double lever = table.gap[0] * moment(table.normal[0], table.impulse[0])[0];
  EXPECT_GT(std::abs(lever), 1e-4);
  EXPECT_NEAR(angular_momentum(simulation.state().bodies)[0] - angular_momentum(s.bodies)[0], lever, 1e-15);
}

}  // namespace
}  // namespace moreau
