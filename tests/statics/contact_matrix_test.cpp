// Operators on small packings (Combe 2001, sec. 3.2): ranks, virtual power, forces, ranges, the velocity at failure.
#include "moreau/statics/contact_matrix.hpp"

#include <map>

#include "moreau/statics/rank.hpp"
#include "moreau/statics/supported_range.hpp"
#include "statics/packing.hpp"

namespace moreau::statics {

namespace {

Eigen::VectorXd random_vector(RandomStream& random, Eigen::Index n) {
  Eigen::VectorXd v(n);
  for (double& x : v) x = random.uniform(-1.0, 1.0);
  return v;
}

int dense_rank(const SparseRows& G) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(1e-9);
  return static_cast<int>(qr.compute(Eigen::MatrixXd(G)).rank());
}

}  // namespace

TEST(ContactMatrix, three_discs_in_a_triangle_have_three_rigid_motions_and_no_self_stress) {
  Packing<2> p;
  for (const Vec<2>& x : {Vec<2>{{0.0, 0.0}}, Vec<2>{{1.0, 0.0}}, Vec<2>{{0.5, std::sqrt(0.75)}}})
    p.state.bodies.append(homogeneous_ball<2>(x, 0.5, 1.0));
  const IsostaticList<2> list = list_of(p.model, p.state, {{0, 1, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}}, Load<2>{});
  const Degrees d = degrees_of(matrix_of(p.model, p.state, list));
  EXPECT_EQ(d.hyperstatic(), 0);
  EXPECT_EQ(d.hypostatic(), 3);
}

// Rows and columns of n equal discs between four walls: each row and each column carries a force of its own, only sums are given.
TEST(ContactMatrix, a_square_lattice_has_two_n_minus_two_self_stresses) {
  for (const int n : {1, 2, 5}) {
    Packing<2> p = pressed_packing<2>(n, 1, false);
    std::vector<Pair> pairs;
    for (int k = 0; k < n * n; ++k) {
      const int i = k % n, j = k / n;
      p.state.bodies.parameters.radius[static_cast<std::size_t>(k)] = 0.5;
      p.state.bodies.state.position[static_cast<std::size_t>(k)] = {{i + 0.5 - 0.5 * n, j + 0.5 - 0.5 * n}};
      for (const auto& [at_end, wall] : {std::pair{i == 0, 0}, {i == n - 1, 1}, {j == 0, 2}, {j == n - 1, 3}})
        if (at_end) pairs.push_back({k, ~wall, 0, 0});
      if (i + 1 < n) pairs.push_back({k, k + 1, 0, 0});
      if (j + 1 < n) pairs.push_back({k, k + n, 0, 0});
    }
    const IsostaticList<2> list = list_of(p.model, p.state, pairs, Load<2>{});
    const SparseRows G = matrix_of(p.model, p.state, list);
    const Degrees d = degrees_of(G);
    EXPECT_EQ(d.forces, 2 * n * n + 2 * n);
    EXPECT_EQ(d.freedoms, 2 * n * n + 2);
    EXPECT_EQ(d.hypostatic(), 0);
    EXPECT_EQ(d.hyperstatic(), 2 * n - 2);
    const Eigen::MatrixXd stresses = self_stresses(G);
    ASSERT_EQ(stresses.cols(), 2 * n - 2);
    EXPECT_LT((G.transpose() * stresses).norm(), 1e-12);
    EXPECT_LT((stresses.transpose() * stresses - Eigen::MatrixXd::Identity(2 * n - 2, 2 * n - 2)).norm(), 1e-12);
    // Compatible velocities do no work on them.
    RandomStream random(7);
    EXPECT_LT((stresses.transpose() * (G * random_vector(random, G.cols()))).norm(), 1e-11);
  }
}

template <int D>
void check_packing(int side, std::uint64_t seed) {
  const Packing<D> p = pressed_packing<D>(side, seed);
  ASSERT_TRUE(p.finished.isostatic) << p.finished.reason;
  EXPECT_EQ(p.finished.contacts, p.finished.freedoms);
  EXPECT_LT(p.finished.residual, 1e-12);
  EXPECT_LT(p.finished.largest_gap, 1e-12);
  Neighbours<D> neighbours;
  const auto near = contacts_within(p.model, p.state, neighbours, 0.2);
  const Freedoms<D> freedoms = freedoms_of(p.model, p.state.bodies, true);
  RandomStream random(seed);
  // With all components and spins: the power of the forces is that of their resultants, and displacements change gaps by G u.
  const SparseRows G = contact_matrix<D>(freedoms, p.state.bodies.parameters.radius, near, std::vector<bool>(near.size(), true));
  const Eigen::VectorXd f = random_vector(random, G.rows()), v = random_vector(random, G.cols());
  EXPECT_NEAR(f.dot(G * v), v.dot(G.transpose() * f), 1e-11);
  State<D> moved = p.state;
  const double h = 1e-6;
  displace(moved, freedoms, h * v);
  std::vector<Pair> pairs;
  for (const auto& c : near) pairs.push_back(c.pair);
  const auto after = contacts_of(p.model, moved, std::span<const Pair>(pairs));
  const Eigen::VectorXd rate = G * v;
  for (std::size_t k = 0; k < near.size(); ++k)
    EXPECT_NEAR((after[k].gap - near[k].gap) / h, rate[static_cast<Eigen::Index>(D * k)], 1e-4);
  EXPECT_EQ(degrees_of(G).rank, dense_rank(G));

  const auto list = list_of(p.model, p.state, pushing_pairs(p.state), p.load());
  const SparseRows A = matrix_of(p.model, p.state, list);
  EXPECT_EQ(degrees_of(A).rank, dense_rank(A));
  EXPECT_EQ(degrees_of(A).hyperstatic(), 0);
  EXPECT_EQ(degrees_of(A).hypostatic(), 0);
  // Forces do not depend on how stiff the contacts are taken to be (Combe 2001, eq. 3.27).
  const Eigen::VectorXd F = force_of(p.model, p.state, list.freedoms, p.load());
  ListFactor factor;
  factor.set(A);
  Eigen::VectorXd forces;
  ASSERT_TRUE(balancing_forces(factor, F, forces));
  Eigen::VectorXd stiffness = random_vector(random, A.rows()).array() + 2.0;
  const Eigen::MatrixXd dense(A);
  const Eigen::VectorXd u = (dense.transpose() * stiffness.asDiagonal() * dense).ldlt().solve(F);
  const Eigen::VectorXd bars = -(stiffness.asDiagonal() * (dense * u));
  EXPECT_LT((bars - forces).cwiseAbs().maxCoeff(), 1e-9 * forces.maxCoeff());
}

TEST(ContactMatrix, the_packings_of_the_finisher_are_isostatic_in_the_plane) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) check_packing<2>(8, seed);
}
TEST(ContactMatrix, the_packings_of_the_finisher_are_isostatic_in_space) {
  for (const std::uint64_t seed : {1, 2}) check_packing<3>(4, seed);
}

TEST(SupportedRange, at_its_ends_one_force_vanishes_and_within_it_all_push) {
  for (const std::uint64_t seed : {5, 6, 7}) {
    const Packing<2> p = pressed_packing<2>(8, seed);
    const auto list = list_of(p.model, p.state, pushing_pairs(p.state), p.load());
    ListFactor factor;
    factor.set(matrix_of(p.model, p.state, list));
    const auto forces = [&](double q) {
      Eigen::VectorXd f;
      EXPECT_TRUE(balancing_forces(factor, force_of(p.model, p.state, list.freedoms, p.with_deviator(q)), f));
      return f;
    };
    const SupportedRange range = supported_range(forces(0.0), forces(1.0) - forces(0.0));
    ASSERT_LT(range.least, 0.0);
    ASSERT_GT(range.most, 0.0);
    EXPECT_NEAR(forces(range.most).minCoeff(), 0.0, 1e-11);
    EXPECT_NEAR(forces(range.least).minCoeff(), 0.0, 1e-11);
    EXPECT_GT(forces(0.999 * range.most).minCoeff(), 0.0);
    EXPECT_LT(forces(1.001 * range.most).minCoeff(), 0.0);
    EXPECT_NEAR(forces(range.most)[range.opens_above], 0.0, 1e-11);
    // The load beyond does work on the motion that follows (eq. 3.36).
    Eigen::VectorXd v;
    ASSERT_TRUE(failure_velocity(factor, range.opens_above, v));
    const Eigen::VectorXd beyond = force_of(p.model, p.state, list.freedoms, p.with_deviator(range.most + 1e-6));
    EXPECT_GT(beyond.dot(v), 0.0);
  }
}

// Where the contact that opens is one of a grain with D + 1 contacts, all of them vanish together, and whichever is chosen all
// other grains move alike.
TEST(SupportedRange, the_velocity_at_failure_does_not_depend_on_the_choice_within_a_trivalent_grain) {
  int met = 0;
  for (std::uint64_t seed = 1; seed < 12; ++seed) {
    const Packing<2> p = pressed_packing<2>(8, seed);
    if (!p.finished.isostatic) continue;
    const auto list = list_of(p.model, p.state, pushing_pairs(p.state), p.load());
    ListFactor factor;
    factor.set(matrix_of(p.model, p.state, list));
    std::map<std::int32_t, std::vector<int>> rows;
    for (std::size_t l = 0; l < list.pairs.size(); ++l)
      for (const std::int32_t b : {list.pairs[l].a, list.pairs[l].b})
        if (!is_wall(b)) rows[b].push_back(static_cast<int>(l));
    for (const auto& [body, of_body] : rows) {
      if (of_body.size() != 3) continue;
      ++met;
      Eigen::VectorXd first, other;
      ASSERT_TRUE(failure_velocity(factor, of_body[0], first));
      const auto forget = [&](Eigen::VectorXd& v) {
        v.segment<2>(list.freedoms.column(static_cast<std::size_t>(body), 0)).setZero();
        v /= v.norm();
      };
      forget(first);
      for (const int row : {of_body[1], of_body[2]}) {
        ASSERT_TRUE(failure_velocity(factor, row, other));
        forget(other);
        EXPECT_LT((first - other).cwiseAbs().maxCoeff(), 1e-10);
      }
    }
  }
  EXPECT_GT(met, 20);
}

}  // namespace moreau::statics
