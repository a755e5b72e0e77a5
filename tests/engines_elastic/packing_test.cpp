// Friction switched on in packings prepared without it (Combe 2001, chapter 5): degrees, reversibility, limit load.
#include "statics/packing.hpp"

#include "moreau/engines/elastic/load_path.hpp"
#include "moreau/engines/elastic/network_of.hpp"
#include "moreau/statics/isostatic_list.hpp"
#include "moreau/statics/load_factor.hpp"
#include "moreau/statics/rank.hpp"

namespace moreau::elastic {

namespace {

constexpr double mu = 0.25, kappa = 1e5;

template <int D>
struct Sample {
  statics::Packing<D> packing;
  Structure<D> structure;
  Eigen::VectorXd F0, F1;  // F1: deviator 1

  Sample(int side, std::uint64_t seed, const Material& material) : packing(statics::pressed_packing<D>(side, seed)) {
    EXPECT_TRUE(packing.finished.isostatic);
    packing.state.impulse_time_step = packing.model.time_step;
    structure = structure_of(packing.model, packing.state, packing.load(), material);
    F0 = force_of(packing.model, packing.state, structure.freedoms, packing.load());
    F1 = force_of(packing.model, packing.state, structure.freedoms, packing.with_deviator(1.0)) - F0;
  }
  double bound() const { return statics::load_factor(structure.network.G, D, structure.friction(), F0, F1).value; }
  // Shortening of the loaded pair of walls.
  double strain(const Found& f) const { return f.rest.displacement[structure.freedoms.column_of_piston(D - 1)]; }
};

Material material(Flow flow = Flow::coulomb, double stiffness = kappa, double ratio = 0.5) {
  return {stiffness, ratio, mu, flow, 0.0, 1e-9};
}

}  // namespace

TEST(FrictionOn, makes_the_list_hyperstatic_by_the_number_of_grains_less_that_of_wall_contacts) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Sample<2> s(7, seed, material());
    std::vector<bool> tangents;
    int walls = 0;
    for (const auto& c : s.structure.contacts) {
      tangents.push_back(!is_wall(c.pair.b));
      walls += is_wall(c.pair.b);
    }
    const statics::SparseRows G = statics::contact_matrix<2>(s.structure.freedoms, s.packing.state.bodies.parameters.radius,
                                                             s.structure.contacts, tangents);
    const statics::Degrees degrees = statics::degrees_of(G);
    EXPECT_EQ(degrees.hyperstatic(), static_cast<int>(s.structure.freedoms.body.size()) + 2 - walls);
    EXPECT_EQ(degrees.hypostatic(), 0);
  }
}

TEST(LoadPath, closes_within_the_elastic_range_and_not_beyond) {
  const Sample<2> s(7, 1, material());
  const Equilibrium equilibrium(s.structure.network, {1e-13});
  const Rest start = at_reference(s.structure.network);
  const double limit = elastic_limit(equilibrium, s.structure.network.force, s.F1);
  ASSERT_GT(limit, 0.0);
  const auto there_and_back = [&](double q) {
    const Found up = equilibrium.find(start, s.F0 + q * s.F1);
    EXPECT_TRUE(up.converged);
    const Found back = equilibrium.find(up.rest, s.F0);
    EXPECT_TRUE(back.converged);
    return std::pair{s.strain(up), s.strain(back)};
  };
  const auto [up, back] = there_and_back(0.999 * limit);
  EXPECT_LT(std::abs(back), 1e-12 * std::abs(up));
  const auto [far, rest] = there_and_back(0.3);
  EXPECT_GT(std::abs(rest), 1e-3 * std::abs(far));
}

TEST(LoadPath, strain_converges_with_the_increment_and_is_inverse_to_the_stiffness) {
  const Sample<2> s(7, 1, material()), softer(7, 1, material(Flow::coulomb, kappa / 10.0));
  const auto strain = [](const Sample<2>& of, double step) {
    const Equilibrium equilibrium(of.structure.network, {1e-11});
    const LoadPath path = follow(equilibrium, at_reference(of.structure.network), of.F0, of.F1, {0.4, step, 1e-4});
    EXPECT_TRUE(path.complete);
    return of.strain(path.points.back().found);
  };
  // First order in the increment.
  const double exact = strain(s, 0.4 / 512.0), coarse = strain(s, 0.1), middle = strain(s, 0.4 / 32.0),
               fine = strain(s, 0.4 / 128.0);
  EXPECT_LT(std::abs(coarse - exact), 0.01 * exact);
  EXPECT_LT(std::abs(middle - exact), 1e-3 * exact);
  EXPECT_LT(std::abs(fine - exact), 0.5 * std::abs(middle - exact));
  EXPECT_NEAR(strain(softer, 0.1) / coarse, 10.0, 1e-5);
}

namespace {

template <int D>
void check_limit(int side, std::uint64_t seed, double near_enough) {
  for (const Flow flow : {Flow::coulomb, Flow::associated}) {
    const Sample<D> s(side, seed, material(flow));
    const double bound = s.bound();
    ASSERT_GT(bound, 0.01);
    const Equilibrium equilibrium(s.structure.network, {1e-9, 100, 3000});
    const LoadPath path =
        follow(equilibrium, at_reference(s.structure.network), s.F0, s.F1, {2.0 * bound, 0.05 * bound, 1e-4 * bound});
    ASSERT_FALSE(path.points.empty());
    const double q1 = path.points.back().load;
    EXPECT_FALSE(path.complete);
    ASSERT_TRUE(path.not_found_at);
    EXPECT_GT(*path.not_found_at, q1);
    EXPECT_LE(q1, bound + 1e-7);
    EXPECT_GT(q1, (flow == Flow::associated ? 1.0 - near_enough : 0.8) * bound);
    // Every equilibrium of the path is one: balanced, and within the cones.
    for (const Point& p : path.points) {
      const Eigen::VectorXd& f = p.found.contacts.force;
      EXPECT_LT(statics::imbalance(s.structure.network.G, f, s.F0 + p.load * s.F1), 1e-6);
      for (Eigen::Index c = 0; c < f.size(); c += D) ASSERT_LE(f.segment<D - 1>(c + 1).norm(), mu * f[c] * (1.0 + 1e-12) + 1e-15);
    }
  }
}

}  // namespace

TEST(LimitLoad, of_coulomb_is_within_the_static_bound_and_the_associated_rule_reaches_it) {
  for (const std::uint64_t seed : {1, 2}) check_limit<2>(6, seed, 2e-4);
}

TEST(LimitLoad, also_in_space) { check_limit<3>(3, 1, 1e-3); }

}  // namespace moreau::elastic
