// Static bounds against closed forms.
#include "moreau/statics/load_factor.hpp"

#include "moreau/statics/supported_range.hpp"
#include "statics/packing.hpp"

namespace moreau::statics {

namespace {

// A disc of radius 1/2 held by two others whose normals rise at `angle`: forces F = (s, -1).
LoadFactor on_two_discs(double angle, double mu, bool without_them = false) {
  const double c = std::cos(angle), s = std::sin(angle);
  Packing<2> p = disc_among({{{-c, -s}}, {{c, -s}}}, {{0.0, 0.0}});
  const std::vector<Pair> pairs{{2, 0, 0, 0}, {2, 1, 0, 0}};
  const auto contacts = contacts_of(p.model, p.state, std::span<const Pair>(pairs));
  const Freedoms<2> freedoms = freedoms_of(p.model, p.state.bodies, true);
  const SparseRows G = contact_matrix<2>(freedoms, p.state.bodies.parameters.radius, contacts, {true, true});
  return load_factor(G, 2, {mu, mu}, Eigen::Vector3d(0.0, -1.0, 0.0), Eigen::Vector3d(1.0, 0.0, 0.0), Stopwatch(),
                     {without_them, without_them});
}

// A block of half width 1 and half height `tall` on four points of a plane, weight 1, pushed along `push` (unit) at its centre.
LoadFactor block_on_four_points(double tall, double mu, const Vec<3>& push) {
  Model<3> model;
  model.walls.push_back({"floor", {WallShape::plane, {}, {{0.0, 0.0, 1.0}}, 0.0}, 0, -1});
  const Freedoms<3> freedoms = freedoms_of(model, 1, {0}, true);
  std::vector<Contact<3>> contacts;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) {
      Contact<3> c;
      c.pair = {0, ~0, 0, contacts.size()};
      c.normal = {{0.0, 0.0, 1.0}};
      c.arm_a = {{x, y, -tall}};
      contacts.push_back(c);
    }
  const std::vector<double> radius{1.0};
  const SparseRows G = contact_matrix<3>(freedoms, radius, contacts, std::vector<bool>(4, true));
  Eigen::VectorXd F0 = Eigen::VectorXd::Zero(6), F1 = F0;
  F0[2] = -1.0;
  for (int d = 0; d < 3; ++d) F1[d] = push[d];
  return load_factor(G, 3, std::vector<double>(4, mu), F0, F1);
}

}  // namespace

TEST(LoadFactor, a_disc_on_two_leaves_at_the_cotangent_whatever_the_friction_unless_it_is_wedged) {
  for (const double angle : {0.4, 0.7, 1.1})
    for (const double mu : {0.0, 0.1, 0.9 * std::tan(angle)}) {
      const LoadFactor f = on_two_discs(angle, mu);
      ASSERT_EQ(f.found, diagnosis::Found::optimum);
      EXPECT_NEAR(f.value, 1.0 / std::tan(angle), 1e-9);
    }
  EXPECT_EQ(on_two_discs(0.4, 1.1 * std::tan(0.4)).found, diagnosis::Found::unbounded);
}

TEST(LoadFactor, a_block_in_space_slides_at_its_friction_or_topples_about_an_edge_or_a_corner) {
  const double half = std::sqrt(0.5);
  for (const double mu : {0.2, 0.5}) {
    EXPECT_NEAR(block_on_four_points(0.5, mu, {{1.0, 0.0, 0.0}}).value, mu, 1e-6);
    EXPECT_NEAR(block_on_four_points(0.5, mu, {{half, half, 0.0}}).value, mu, 1e-6) << "the cone is round";
  }
  // Tall: about an edge, lever 1 against height; along the diagonal one corner, lever sqrt 2.
  EXPECT_NEAR(block_on_four_points(4.0, 0.9, {{1.0, 0.0, 0.0}}).value, 0.25, 1e-6);
  EXPECT_NEAR(block_on_four_points(4.0, 0.9, {{half, half, 0.0}}).value, 0.25 / half, 1e-6);
  // Beyond the bound it moves along the push, and up as the cone has it; what cannot be borne at all says where it goes.
  const LoadFactor slides = block_on_four_points(0.5, 0.2, {{1.0, 0.0, 0.0}});
  ASSERT_EQ(slides.motion.size(), 6);
  EXPECT_GT(slides.motion[0], 0.0);
  EXPECT_NEAR(slides.motion[2], 0.2 * slides.motion[0], 1e-6 * slides.motion[0]);
  EXPECT_NEAR(slides.motion.tail(3).norm(), 0.0, 1e-6 * slides.motion[0]);
}

TEST(LoadFactor, where_nothing_balances_the_motion_that_begins_is_told) {
  const LoadFactor falls = on_two_discs(1.1, 0.0, true);
  ASSERT_EQ(falls.found, diagnosis::Found::nothing);
  ASSERT_GT(falls.motion.size(), 0);
  EXPECT_LT(falls.motion[1], 0.0);
}

TEST(LoadFactor, without_friction_the_bound_of_an_isostatic_list_is_its_supported_range) {
  const Packing<2> p = pressed_packing<2>(8, 3);
  ASSERT_TRUE(p.finished.isostatic);
  const auto list = list_of(p.model, p.state, pushing_pairs(p.state), p.load());
  const auto contacts = contacts_of(p.model, p.state, std::span<const Pair>(list.pairs));
  const SparseRows G =
      contact_matrix<2>(list.freedoms, p.state.bodies.parameters.radius, contacts, std::vector<bool>(contacts.size(), true));
  const Eigen::VectorXd F0 = force_of(p.model, p.state, list.freedoms, p.load()),
                        F1 = force_of(p.model, p.state, list.freedoms, p.with_deviator(1.0)) - F0;
  ListFactor factor;
  factor.set(matrix_of(p.model, p.state, list));
  Eigen::VectorXd f0, f1;
  ASSERT_TRUE(balancing_forces(factor, F0, f0) && balancing_forces(factor, F1, f1));
  const SupportedRange range = supported_range(f0, f1);
  const std::vector<double> smooth(contacts.size(), 0.0);
  EXPECT_NEAR(load_factor(G, 2, smooth, F0, F1).value, range.most, 1e-9);
  EXPECT_NEAR(load_factor(G, 2, smooth, F0, -F1).value, -range.least, 1e-9);
  // With friction, between grains only, more is borne.
  Freedoms<2> turning = list.freedoms;
  turning.spins = true;
  const SparseRows rough =
      contact_matrix<2>(turning, p.state.bodies.parameters.radius, contacts, std::vector<bool>(contacts.size(), true));
  const Eigen::VectorXd R0 = force_of(p.model, p.state, turning, p.load()),
                        R1 = force_of(p.model, p.state, turning, p.with_deviator(1.0)) - R0;
  std::vector<double> mu(contacts.size(), 0.25);
  for (std::size_t c = 0; c < contacts.size(); ++c)
    if (is_wall(contacts[c].pair.b)) mu[c] = 0.0;
  const LoadFactor bound = load_factor(rough, 2, mu, R0, R1);
  ASSERT_EQ(bound.found, diagnosis::Found::optimum);
  EXPECT_GT(bound.value, range.most);
  EXPECT_LT(imbalance(rough, bound.force, R0 + bound.value * R1), 1e-7);
}

}  // namespace moreau::statics
