// The one-contact solution kept for sweeps against the law solved from scratch, wherever the search begins.
#include "moreau/solver/given/block_contact.hpp"

#include <gtest/gtest.h>

#include "moreau/law/residual.hpp"
#include "solver/local_problems.hpp"

namespace moreau {
namespace {

DelassusBlock<3> random_block(RandomStream& random) {
  const Eigen::MatrixXd B = random_entries(random, 3, 3);
  const Eigen::MatrixXd W = B * B.transpose() + 0.01 * Eigen::MatrixXd::Identity(3, 3);
  DelassusBlock<3> H;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) H.c[i][j] = W(i, j);
  return H;
}

Vec<3> random_vector(RandomStream& random) { return {{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}}; }

TEST(SpaceContact, is_on_the_law_wherever_the_search_begins) {
  RandomStream random(81);
  int slides = 0;
  for (int n = 0; n < 20000; ++n) {
    const DelassusBlock<3> H = random_block(random);
    const SpaceContact contact(H);
    const Vec<3> v = random_vector(random);
    const double mu = n % 10 == 0 ? 0.0 : random.uniform(0.0, 1.0);
    const Vec<3> p = contact.solve(v, random_vector(random), mu);
    if (mu > 0.0) {
      ASSERT_LE(natural_residual(Vec<3>(v + H * p), p, mu, 1.0), 1e-11 * (1.0 + norm(p))) << n;
    } else {
      ASSERT_LE(std::abs(p[1]) + std::abs(p[2]), 0.0);
      ASSERT_NEAR(p[0], std::max(0.0, -v[0] / H.c[0][0]), 1e-14 * (1.0 + p[0]));
    }
    slides += p[0] > 0.0 && std::hypot(p[1], p[2]) > mu * p[0] * (1.0 - 1e-12);
  }
  EXPECT_GT(slides, 2000);
}

// Where the coupling of normal and tangent is weak the solution is unique: the one of the law.
TEST(SpaceContact, equals_the_law_where_that_is_unique) {
  RandomStream random(82);
  for (int n = 0; n < 20000; ++n) {
    DelassusBlock<3> H = random_block(random);
    for (int i = 1; i < 3; ++i) H.c[0][i] = H.c[i][0] = 0.1 * H.c[0][i] * std::min(1.0, H.c[0][0]);
    const double mu = random.uniform(0.0, 0.8), k = std::hypot(H.c[0][1], H.c[0][2]);
    if (mu * k >= H.c[0][0]) continue;
    const Vec<3> v = random_vector(random);
    const Vec<3> expected = solve_coulomb_space(v, H, mu), found = SpaceContact(H).solve(v, random_vector(random), mu);
    ASSERT_LE(norm(found - expected), 1e-10 * (1.0 + norm(expected))) << n;
  }
}

}  // namespace
}  // namespace moreau
