// The law of one contact: cone, flow, derivative; and one disc on two.
#include "moreau/engines/elastic/spring.hpp"

#include "moreau/base/random.hpp"
#include "moreau/engines/elastic/load_path.hpp"
#include "moreau/statics/placement.hpp"
#include "statics/packing.hpp"

namespace moreau::elastic {

namespace {

template <int D>
std::array<double, D> some_force(RandomStream& random) {
  std::array<double, D> f;
  for (double& x : f) x = 2.0 * random.uniform() - 1.0;
  f[0] += 0.3;
  return f;
}

template <int D>
void check_law(Flow flow) {
  RandomStream random(7);
  const Spring spring{2.0, 0.7, 0.4};
  std::array<int, 3> seen{};
  for (int n = 0; n < 2000; ++n) {
    const std::array<double, D> trial = some_force<D>(random);
    const Reply<D> r = reply<D>(spring, flow, trial);
    ++seen[static_cast<std::size_t>(r.status)];
    double along = 0.0, slipped = 0.0, against = 0.0;
    for (int k = 1; k < D; ++k) {
      along = std::hypot(along, r.force[k]), slipped = std::hypot(slipped, r.slip[k]);
      against += r.force[k] * r.slip[k];
      EXPECT_NEAR(trial[k] - spring.tangential * r.slip[k], r.force[k], 1e-14);
    }
    EXPECT_LE(along, spring.friction * r.force[0] * (1.0 + 1e-14));
    EXPECT_NEAR(against, along * slipped, 1e-14) << "slip follows the force";
    EXPECT_NEAR(r.slip[0], flow == Flow::associated ? -spring.friction * slipped : 0.0, 1e-14);
    if (r.status != Status::open) {
      EXPECT_NEAR(trial[0] - spring.normal * r.slip[0], r.force[0], 1e-14);
    } else {
      EXPECT_LE(trial[0] - spring.normal * r.slip[0], 1e-14) << "a gap remains";
    }
    if (flow == Flow::associated) {  // nearest in the metric 1/k: no force of the cone is nearer
      const auto distance = [&](const std::array<double, D>& f) {
        double sum = (f[0] - trial[0]) * (f[0] - trial[0]) / spring.normal;
        for (int k = 1; k < D; ++k) sum += (f[k] - trial[k]) * (f[k] - trial[k]) / spring.tangential;
        return sum;
      };
      const std::array<double, D> other = reply<D>(spring, Flow::coulomb, some_force<D>(random)).force;
      EXPECT_LE(distance(r.force), distance(other) + 1e-14);
    }
    for (int l = 0; l < D; ++l) {
      const double k = l == 0 ? spring.normal : spring.tangential, step = 1e-7;
      std::array<double, D> up = trial, down = trial;
      up[l] += k * step, down[l] -= k * step;
      const Reply<D> above = reply<D>(spring, flow, up), below = reply<D>(spring, flow, down);
      if (above.status != r.status || below.status != r.status) continue;
      for (int m = 0; m < D; ++m) EXPECT_NEAR((above.force[m] - below.force[m]) / (2.0 * step), r.tangent[m][l], 2e-6);
    }
  }
  for (const int count : seen) EXPECT_GT(count, 50);
}

// A disc of radius 1/2 on two others whose normals rise at `angle`.
Network on_two_discs(double angle, const Spring& spring) {
  const double c = std::cos(angle), s = std::sin(angle);
  statics::Packing<2> p = statics::disc_among({{{-c, -s}}, {{c, -s}}}, {{0.0, 0.0}});
  const std::vector<statics::Pair> pairs{{2, 0, 0, 0}, {2, 1, 0, 0}};
  const auto contacts = statics::contacts_of(p.model, p.state, std::span<const statics::Pair>(pairs));
  Network n;
  n.G = statics::contact_matrix<2>(statics::freedoms_of(p.model, p.state.bodies, true), p.state.bodies.parameters.radius,
                                   contacts, {true, true});
  n.spring = {spring, spring};
  n.force = Eigen::VectorXd::Zero(4);
  return n;
}

}  // namespace

TEST(Spring, coulomb_in_the_plane) { check_law<2>(Flow::coulomb); }
TEST(Spring, coulomb_in_space) { check_law<3>(Flow::coulomb); }
TEST(Spring, associated_in_the_plane) { check_law<2>(Flow::associated); }
TEST(Spring, associated_in_space) { check_law<3>(Flow::associated); }

TEST(DiscOnTwo, forces_first_slip_and_opening_are_those_of_the_closed_form) {
  const double angle = 0.9, kn = 1000.0, kt = 400.0, mu = 0.5, F2 = 1.0;
  const double s = std::sin(angle), c = std::cos(angle), D = kn * s * s + kt * c * c;
  ASSERT_LT(kt * c / (kn * s), mu);
  const Network n = on_two_discs(angle, {kn, kt, mu});
  const Equilibrium equilibrium(n, {});
  const Eigen::Vector3d down(0.0, -F2, 0.0), across(1.0, 0.0, 0.0);
  const Found laid = equilibrium.find(at_reference(n), down);
  ASSERT_TRUE(laid.converged);
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(laid.contacts.force[2 * k], F2 * kn * s / (2.0 * D), 1e-9);
    EXPECT_NEAR(std::abs(laid.contacts.force[2 * k + 1]), F2 * kt * c / (2.0 * D), 1e-9);
  }
  const double first_slip = F2 * (c / D) * (kn * s - kt * c / mu);
  EXPECT_NEAR(elastic_limit(equilibrium, laid.contacts.force, across), first_slip, 1e-9);
  const auto pushed = [&](double F1) { return equilibrium.find(laid.rest, down + F1 * across); };
  const Found below = pushed(0.999 * first_slip), above = pushed(1.001 * first_slip);
  ASSERT_TRUE(below.converged && above.converged);
  EXPECT_EQ(below.contacts.sliding, 0u);
  EXPECT_EQ(above.contacts.sliding, 1u);
  // Normal forces take all of the push, +-F1/(2 cos), nothing of it goes to the tangents: the disc rolls.
  EXPECT_NEAR(std::abs(below.contacts.force[0] - below.contacts.force[2]), 0.999 * first_slip / c, 1e-8);
  EXPECT_NEAR(below.contacts.force[1], laid.contacts.force[1], 1e-8);
}

TEST(DiscOnTwo, laid_down_without_friction_it_opens_at_the_cotangent) {
  const double angle = 0.7, mu = 0.4;
  Network n = on_two_discs(angle, {1000.0, 500.0, mu});
  n.force[0] = n.force[2] = 0.5 / std::sin(angle);
  const Equilibrium equilibrium(n, {1e-9, 100, 3000});
  const Eigen::Vector3d down(0.0, -1.0, 0.0), across(1.0, 0.0, 0.0);
  EXPECT_NEAR(elastic_limit(equilibrium, n.force, across), 1.0 / std::tan(angle), 1e-9);
  const LoadPath path = follow(equilibrium, at_reference(n), down, across, {2.0, 0.1, 1e-7});
  EXPECT_FALSE(path.complete);
  EXPECT_NEAR(path.points.back().load, 1.0 / std::tan(angle), 1e-6);
  EXPECT_LE(path.points.back().load, 1.0 / std::tan(angle) + 1e-8);
  ASSERT_TRUE(path.not_found_at);
  EXPECT_LE(*path.not_found_at - path.points.back().load, 2.1e-7);
}

TEST(ContactThatCloses, carries_only_what_is_beyond_its_gap) {
  // A disc pressed on one contact by 1 with a second contact in line behind a gap that half of the load closes.
  Network n;
  n.G.resize(4, 1);
  n.G.insert(0, 0) = 1.0;
  n.G.insert(2, 0) = 1.0;
  n.spring = {{100.0, 0.0, 0.0}, {100.0, 0.0, 0.0}};
  n.force = Eigen::Vector4d(0.0, 0.0, -0.5, 0.0);
  const Equilibrium equilibrium(n, {});
  const auto at = [&](double load) { return equilibrium.find(at_reference(n), Eigen::VectorXd::Constant(1, -load)); };
  EXPECT_EQ(at(0.4).contacts.open, 1u);
  EXPECT_NEAR(at(0.4).contacts.force[0], 0.4, 1e-9);
  EXPECT_NEAR(at(1.5).contacts.force[2], 0.5, 1e-9);
  EXPECT_NEAR(at(1.5).contacts.force[0], 1.0, 1e-9);
}

}  // namespace moreau::elastic
