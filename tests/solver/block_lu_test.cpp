// Factors by blocks against a dense LU with pivoting.
#include "moreau/solver/block_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "moreau/base/random.hpp"

namespace moreau {
namespace {

struct Sparse {
  std::vector<int> start{0}, column;
  std::vector<double> value;
  std::vector<char> unit;
  Eigen::MatrixXd dense;
};

// Each block of the pattern, which need not be symmetric, is met with this chance; diagonals are heavy enough for any order.
template <int B>
Sparse random_matrix(RandomStream& random, int rows, double chance, double chance_of_unit) {
  Sparse m;
  m.dense = Eigen::MatrixXd::Zero(B * rows, B * rows);
  for (int a = 0; a < rows; ++a) {
    m.unit.push_back(random.uniform() < chance_of_unit);
    for (int b = 0; b < rows; ++b) {
      if (a != b && random.uniform() > chance) continue;
      m.column.push_back(b);
      for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j) {
          const double entry = random.uniform(-1, 1) + (a == b && i == j ? 4.0 * B : 0.0);
          m.value.push_back(entry);
          m.dense(B * a + i, B * b + j) = m.unit[a] ? (a == b && i == j ? 1.0 : 0.0) : entry;
        }
    }
    m.start.push_back(static_cast<int>(m.column.size()));
  }
  return m;
}

template <int B>
void agree(std::uint64_t seed) {
  RandomStream random(seed);
  for (int n = 0; n < 30; ++n) {
    const int rows = 1 + n;
    const Sparse m = random_matrix<B>(random, rows, 3.0 / rows, 0.2);
    BlockLu<B> lu(m.start, m.column);
    Eigen::VectorXd right(B * rows);
    for (double& value : right) value = random.uniform(-1, 1);
    for (int again = 0; again < 2; ++again) {  // nothing may be left from the first time
      ASSERT_TRUE(lu.factorise(m.value, m.unit));
      const Eigen::VectorXd expected = m.dense.partialPivLu().solve(right);
      ASSERT_LE((lu.solve(right) - expected).norm(), 1e-12 * expected.norm()) << n;
    }
  }
}

TEST(BlockLu, solves_like_a_dense_factorisation) {
  agree<2>(1);
  agree<3>(2);
  agree<6>(3);
}

TEST(BlockLu, a_loose_chain_costs_work_in_proportion_to_its_length) {
  const auto work = [](int rows) {
    std::vector<int> start{0}, column;
    for (int a = 0; a < rows; ++a) {
      for (const int b : {a - 1, a, a + 1})
        if (b >= 0 && b < rows) column.push_back(b);
      start.push_back(static_cast<int>(column.size()));
    }
    return BlockLu<3>(start, column).work();
  };
  EXPECT_LE(work(1000), 10.5 * work(100));
}

TEST(BlockLu, a_singular_pivot_is_told) {
  BlockLu<2> lu({0, 1}, {0});
  EXPECT_FALSE(lu.factorise({1.0, 2.0, 2.0, 4.0}, {0}));
  EXPECT_TRUE(lu.factorise({1.0, 2.0, 2.0, 5.0}, {0}));
}

}  // namespace
}  // namespace moreau
