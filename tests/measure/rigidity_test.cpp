// Degrees h and k by rank, and ranges of undetermined forces.
#include "moreau/measure/rigidity/rigidity.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "measure/small_sample.hpp"
#include "moreau/base/random.hpp"
#include "moreau/measure/rigidity/indeterminacy.hpp"

namespace moreau::measure {
namespace {

template <int D>
Rigidity count(const SmallSample<D>& s, ContactForces forces, const std::vector<Piston<D>>& pistons = {}) {
  Structure all;
  Sample<D> sample = s.sample();
  sample.yielding = pistons;
  for (std::size_t c = 0; c < sample.contacts->size(); ++c) all.contacts.push_back(c);
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i)) all.bodies.push_back(i);
  return rigidity(sample, all, forces);
}

TEST(Rigidity, three_discs_in_a_ring_have_the_three_rigid_motions) {
  SmallSample<2> s;
  s.body({{0, 0}}, 0.5), s.body({{1, 0}}, 0.5), s.body({{0.5, std::sqrt(0.75)}}, 0.5);
  s.contact(1, 0, 1), s.contact(2, 0, 1), s.contact(2, 1, 1);
  const Rigidity r = count(s, ContactForces::normal);
  EXPECT_EQ(r.freedoms, 6);  // round and frictionless: spins do not count
  EXPECT_EQ(r.hyperstatic(), 0);
  EXPECT_EQ(r.hypostatic(), 3);
  const Rigidity f = count(s, ContactForces::complete);  // 6 forces, 9 freedoms; gears in a triangle lock
  EXPECT_EQ(f.forces + f.hypostatic(), f.freedoms + f.hyperstatic());
  EXPECT_EQ(f.hypostatic(), 3);  // the discs cannot turn on one another in a ring of odd length
  EXPECT_EQ(f.hyperstatic(), 0);
}

TEST(Rigidity, four_discs_in_a_ring_can_turn_like_gears) {
  SmallSample<2> s;
  s.body({{0, 0}}, 0.5), s.body({{1, 0}}, 0.5), s.body({{1, 1}}, 0.5), s.body({{0, 1}}, 0.5);
  s.contact(1, 0, 1), s.contact(2, 1, 1), s.contact(3, 2, 1), s.contact(3, 0, 1);
  EXPECT_EQ(count(s, ContactForces::normal).hypostatic(), 4);  // rigid motions and the shear of the square
  const Rigidity f = count(s, ContactForces::complete);        // 8 forces, 12 freedoms
  // Rigid motions and gears. Rolling into a lozenge at rate w would ask s0 + s1 = s2 + s3 = 0 and s1 + s2 = s3 + s0 = 2 w of the
  // spins: only w = 0.
  EXPECT_EQ(f.hypostatic(), 4);
  EXPECT_EQ(f.hyperstatic(), 0);
}

TEST(Rigidity, disc_in_a_groove_is_isostatic_without_friction_and_once_hyperstatic_with) {
  SmallSample<2> s;
  s.friction() = 0.5;
  const double r = std::sqrt(0.5);
  const auto left = s.plane({{0, 0}}, {{r, r}}), right = s.plane({{0, 0}}, {{-r, r}});
  const auto disc = s.body({{0, 1 / r}}, 1);
  s.contact(disc, left, 1), s.contact(disc, right, 1);
  const Rigidity n = count(s, ContactForces::normal), t = count(s, ContactForces::complete);
  EXPECT_EQ(n.hyperstatic(), 0);
  EXPECT_EQ(n.hypostatic(), 0);
  EXPECT_EQ(t.hyperstatic(), 1);
  EXPECT_EQ(t.hypostatic(), 0);
}

TEST(Rigidity, paired_walls_add_one_freedom_each) {
  // A disc between four walls that move in symmetric pairs, as in the biaxial test: 4 contacts = 2 N_a + 2 freedoms, isostatic.
  SmallSample<2> s;
  const auto left = s.plane({{-1, 0}}, {{1, 0}}), right = s.plane({{1, 0}}, {{-1, 0}});
  const auto bottom = s.plane({{0, -1}}, {{0, 1}}), top = s.plane({{0, 1}}, {{0, -1}});
  const auto disc = s.body({{0, 0}}, 1);
  for (const auto wall : {left, right, bottom, top}) s.contact(disc, wall, 1);
  Piston<2> across, along;
  across.walls = {{0, {{1, 0}}}, {1, {{-1, 0}}}}, along.walls = {{2, {{0, 1}}}, {3, {{0, -1}}}};
  const Rigidity fixed = count(s, ContactForces::normal), moving = count(s, ContactForces::normal, {across, along});
  EXPECT_EQ(fixed.hyperstatic(), 2);
  EXPECT_EQ(moving.freedoms, 4);
  EXPECT_EQ(moving.hyperstatic(), 0);
  EXPECT_EQ(moving.hypostatic(), 0);
}

TEST(Rigidity, block_on_a_floor_turns_and_is_hyperstatic_with_four_corners) {
  // Frictionless normals at points off the centre hold the spin: a square on 4 points of a floor in space, 4 forces, rank 3.
  SmallSample<3> s;
  const auto floor = s.plane({{0, 0, 0}}, {{0, 0, 1}});
  const auto block = s.body({{0, 0, 1}}, 1);
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) s.contact_at(block, floor, {{x, y, 0}}, {{0, 0, 1}}, {{0, 0, 1}});
  const Rigidity r = count(s, ContactForces::normal);
  EXPECT_EQ(r.freedoms, 6);
  EXPECT_EQ(r.hyperstatic(), 1);
  EXPECT_EQ(r.hypostatic(), 3);  // slides both ways, spins about the vertical
}

TEST(Rigidity, sliding_contacts_lose_their_tangents) {
  SmallSample<2> s;
  s.friction() = 0.5;
  const auto floor = s.plane({{0, 0}}, {{0, 1}});
  s.contact(s.body({{0, 1}}, 1), floor, 1.0, {{0.1, 0}}, ContactStatus::stick);
  s.contact(s.body({{5, 1}}, 1), floor, 1.0, {{0.5, 0}}, ContactStatus::slide);
  EXPECT_EQ(count(s, ContactForces::mobile).forces, 3);
  EXPECT_EQ(count(s, ContactForces::complete).forces, 4);
}

TEST(Rigidity, sparse_rank_agrees_with_singular_values) {
  RandomStream random(6);
  for (int k = 0; k < 20; ++k) {
    // Random discs with random contacts among near ones: the geometry need not close.
    SmallSample<2> s;
    const int n = 12 + k;
    for (int i = 0; i < n; ++i) s.body({{random.uniform(0, 4), random.uniform(0, 4)}}, 0.5);
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        if (norm(s.bodies().state.position[static_cast<std::size_t>(i)] -
                 s.bodies().state.position[static_cast<std::size_t>(j)]) < 1.3)
          s.contact(j, i, 1.0);
    Structure all;
    for (std::size_t c = 0; c < s.sample().contacts->size(); ++c) all.contacts.push_back(c);
    for (int i = 0; i < n; ++i) all.bodies.push_back(static_cast<std::size_t>(i));
    for (const ContactForces forces : {ContactForces::normal, ContactForces::complete}) {
      const Eigen::SparseMatrix<double> G = contact_operator(s.sample(), all, forces);
      const Eigen::JacobiSVD<Eigen::MatrixXd> svd{Eigen::MatrixXd(G)};
      EXPECT_EQ(statics::rank_of(G), (svd.singularValues().array() > 1e-9 * svd.singularValues()[0]).count());
    }
  }
}

TEST(Rigidity, transpose_of_the_operator_gives_resultants) {
  // Virtual power: f . (G v) = sum over bodies of (resultant . v + moment . spin), for the present forces and random velocities.
  SmallSample<2> s = lattice_under_stress(3, 2.0, 3.0, 0.5);
  Structure all;
  for (std::size_t c = 0; c < s.sample().contacts->size(); ++c) all.contacts.push_back(c);
  for (std::size_t i = 0; i < 9; ++i) all.bodies.push_back(i);
  const Eigen::SparseMatrix<double> G = contact_operator(s.sample(), all, ContactForces::complete);
  Eigen::VectorXd f(G.rows());
  const Sample<2> sample = s.sample();
  for (std::size_t c = 0; c < all.contacts.size(); ++c) {
    const Vec<2> n = sample.contacts->normal[c], t{{-n[1], n[0]}};
    f[2 * static_cast<int>(c)] = dot(sample.contacts->force[c], n),
          f[2 * static_cast<int>(c) + 1] = dot(sample.contacts->force[c], t);
  }
  EXPECT_LT((G.transpose() * f).norm(), 1e-12);  // the lattice is in balance, moments included
}

TEST(Rigidity, rattlers_are_no_part_of_the_structure) {
  SmallSample<2> s = lattice_under_stress(3, 1, 1, 0);
  s.body({{20, 20}}, 0.5);
  const Structure structure = force_carrying_structure(s.sample());
  EXPECT_EQ(structure.bodies.size(), 9u);
  EXPECT_EQ(structure.contacts.size(), 24u);
}

// A disc of weight 1 in a groove with contact normals at `beta` from the vertical: N1 = N2 = N, T1 = -T2 = s,
// N = (1/2 - s sin beta) / cos beta, |s| <= mu N.
SmallSample<2> groove(double beta, double mu) {
  SmallSample<2> s;
  s.friction() = mu;
  const double x = std::sin(beta), y = std::cos(beta);
  const auto left = s.plane({{0, 0}}, {{x, y}}), right = s.plane({{0, 0}}, {{-x, y}});
  const auto disc = s.body({{0, 1 / x}}, 1);
  s.contact(disc, left, 0.5 / y), s.contact(disc, right, 0.5 / y);
  return s;
}

TEST(Indeterminacy, disc_in_a_groove_has_the_range_found_by_hand) {
  const double beta = 0.6, mu = 0.3;
  const auto range = indeterminacy(groove(beta, mu).sample(), {0, 1});
  ASSERT_EQ(range.size(), 2u);
  for (const ForceRange& r : range) {
    EXPECT_NEAR(r.least, 0.5 / (std::cos(beta) + mu * std::sin(beta)), 1e-8);
    EXPECT_NEAR(r.most, 0.5 / (std::cos(beta) - mu * std::sin(beta)), 1e-8);
  }
  EXPECT_EQ(indeterminacy(groove(1.2, 0.5).sample(), {0})[0].most, std::numeric_limits<double>::infinity());  // it wedges
  const ForceRange sure = indeterminacy(groove(beta, 0.0).sample(), {0})[0];
  EXPECT_NEAR(sure.most - sure.least, 0.0, 1e-8);
}

TEST(Indeterminacy, table_on_four_legs_in_space) {
  // Four legs at the corners, load 4 in the middle: each leg carries between 0 and 2.
  SmallSample<3> s;
  const auto floor = s.plane({{0, 0, 0}}, {{0, 0, 1}});
  const auto table = s.body({{0, 0, 1}}, 1);
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) s.contact_at(table, floor, {{x, y, 0}}, {{0, 0, 1}}, {{0, 0, 1}});
  for (const double mu : {0.0, 0.1, 0.8}) {  // friction has no resultant, hence no moment about the middle
    s.friction() = mu;
    const auto ranges = indeterminacy(s.sample(), {0, 1, 2, 3});
    ASSERT_EQ(ranges.size(), 4u);
    for (const ForceRange& r : ranges) {
      EXPECT_NEAR(r.least, 0.0, 1e-6) << mu;
      EXPECT_NEAR(r.most, 2.0, 1e-6) << mu;
    }
  }
}

// A ball in a groove of three planes at angle beta to the horizontal, evenly about the vertical, weight 1: by symmetry and
// convexity of the cones the extreme forces are those of three equal contacts, f (cos beta +- mu sin beta) = 1 / 3, when one asks
// for the sum; each alone varies more, and without bound when friction exceeds cot beta.
TEST(Indeterminacy, ball_on_three_planes_in_space_wedges_above_the_cotangent_of_their_slope) {
  const double beta = 1.2;
  for (const double mu : {0.9 / std::tan(beta), 1.1 / std::tan(beta)}) {
    SmallSample<3> s;
    s.friction() = mu;
    const auto ball = s.body({{0, 0, 1}}, 1);
    for (int k = 0; k < 3; ++k) {
      const double angle = 2.0 * M_PI * k / 3.0;
      const Vec<3> normal{{std::sin(beta) * std::cos(angle), std::sin(beta) * std::sin(angle), std::cos(beta)}};
      const auto plane = s.plane({{0, 0, 0}}, normal);
      s.contact_at(ball, plane, Vec<3>{{0, 0, 1}} - normal, normal, (1.0 / (3.0 * std::cos(beta))) * normal);
    }
    const ForceRange r = indeterminacy(s.sample(), {0})[0];
    EXPECT_LE(r.least, 1.0 / (3.0 * (std::cos(beta) + mu * std::sin(beta))) + 1e-6);
    if (mu > 1.0 / std::tan(beta)) {
      EXPECT_EQ(r.most, std::numeric_limits<double>::infinity());
    } else {
      EXPECT_GE(r.most, 1.0 / (3.0 * (std::cos(beta) - mu * std::sin(beta))) - 1e-6);
      EXPECT_LT(r.most, 100.0);
    }
  }
}

}  // namespace
}  // namespace moreau::measure
