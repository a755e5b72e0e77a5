// Contacts of round bodies under plain Coulomb laws are packed and accounted for eight at a time; under laws that vary, one by
// one. A law that varies between equal values must therefore give the same step.
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

// Grains of several sizes thrown into a box whose floor shakes.
template <int D>
Sample<D> thrown(ContactRule rule, PairLaw law) {
  Sample<D> s(2e-3, law);
  s.model.rule = rule;
  s.model.solver = {.tolerance = 1e-11, .unbalanced_tolerance = 1e-9, .max_sweeps = 5000};
  const int shake = s.motion(steady<D>(at<D>(0.3, 0.2)));
  s.wall({}, at<D>(0, 1), shake).sides(D == 2 ? 6.0 : 3.0);
  RandomStream random(7);
  for (int i = 0; i < 60; ++i) {
    const int across = D == 2 ? 5 : 2, layer = D == 2 ? across : across * across;
    Vec<D> x = at<D>(0.6 + 1.1 * (i % across), 0.5 + 1.02 * (i / layer));
    if (D == 3) x[1] = 0.6 + 1.1 * (i / across % across);
    Vec<D> v{};
    Spin<D> spin{};
    for (int d = 0; d < D; ++d) x[d] += random.uniform(-0.05, 0.05), v[d] = random.uniform(-2, 2);
    for (double& w : spin.c) w = random.uniform(-4, 4);
    s.ball(x, random.uniform(0.4, 0.56), v, spin, random.uniform(0.5, 3));
  }
  return s;
}

template <int D>
void same_step(ContactRule rule, double rho, double tau) {
  PairLaw plain;
  plain.friction = 0.4, plain.normal_restitution = rho, plain.tangential_restitution = tau;
  PairLaw varying = plain;
  varying.static_friction = plain.friction, varying.static_speed = 1.0;
  const Sample<D> a = thrown<D>(rule, plain), b = thrown<D>(rule, varying);
  Simulation<D> running = a.start();
  std::size_t compared = 0;
  for (int n = 0; n < 400; ++n) {
    const State<D> state = running.state();
    Simulation<D> one_by_one(b.model, state);
    const StepReport eight = running.step(), one = one_by_one.step();
    if (!eight.certificate.converged || !one.certificate.converged) continue;
    compared += eight.contacts;
    ASSERT_EQ(eight.contacts, one.contacts) << n;
    EXPECT_EQ(eight.recalled, one.recalled) << n;
    EXPECT_NEAR(eight.max_penetration, one.max_penetration, 1e-14) << n;
    EXPECT_NEAR(eight.mean_penetration, one.mean_penetration, 1e-14) << n;
    const double energy = 1.0 + eight.energy.kinetic;
    EXPECT_NEAR(eight.energy.dissipated, one.energy.dissipated, 1e-8 * energy) << n;
    EXPECT_NEAR(eight.energy.wall_work, one.energy.wall_work, 1e-8 * energy) << n;
    EXPECT_NEAR(eight.energy.kinetic, one.energy.kinetic, 1e-8 * energy) << n;
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
      const BodyState<D>&p = running.state().bodies.state, &q = one_by_one.state().bodies.state;
      EXPECT_LE(norm(p.velocity[i] - q.velocity[i]), 1e-7) << n << ' ' << i;
      EXPECT_LE(norm(p.spin[i] - q.spin[i]), 1e-6) << n << ' ' << i;
      EXPECT_LE(norm(p.position[i] - q.position[i]), 1e-9) << n << ' ' << i;
    }
    for (std::size_t c = 0; c < eight.contacts; ++c) {
      const ContactTable<D>&p = running.state().contacts, &q = one_by_one.state().contacts;
      ASSERT_EQ(p.a[c], q.a[c]) << n;
      ASSERT_EQ(p.b[c], q.b[c]) << n;
      EXPECT_LE(norm(p.normal[c] - q.normal[c]), 1e-12) << n << ' ' << c;
      EXPECT_NEAR(p.gap[c], q.gap[c], 1e-13) << n << ' ' << c;
    }
  }
  EXPECT_GT(compared, 1000u);
}

TEST(EightAtATime, is_the_step_of_single_contacts_in_the_plane) {
  same_step<2>(ContactRule::predictive, 0.0, 0.0);
  same_step<2>(ContactRule::midpoint, 0.5, 0.3);
}
TEST(EightAtATime, is_the_step_of_single_contacts_in_space) {
  same_step<3>(ContactRule::predictive, 0.4, 0.2);
  same_step<3>(ContactRule::midpoint, 0.0, 0.0);
}

}  // namespace
}  // namespace moreau
