// A factor is updated when contacts are exchanged, when bodies leave the list or join it, and when normals turn.
#include "moreau/statics/list_factor.hpp"

#include <map>

#include "statics/packing.hpp"

namespace moreau::statics {

namespace {

Eigen::VectorXd random_vector(RandomStream& random, Eigen::Index n) {
  Eigen::VectorXd v(n);
  for (double& x : v) x = random.uniform(-1.0, 1.0);
  return v;
}

bool is_singular(const Eigen::MatrixXd& A) { return Eigen::JacobiSVD<Eigen::MatrixXd>(A).singularValues().minCoeff() < 1e-6; }

void expect_solutions_of(const Eigen::MatrixXd& A, ListFactor& factor, RandomStream& random) {
  const Eigen::VectorXd b = random_vector(random, A.rows());
  Eigen::VectorXd x, y;
  ASSERT_TRUE(factor.solve(b, x) && factor.solve_transposed(b, y));
  EXPECT_LT((A * x - b).norm(), 1e-12 * (1.0 + x.norm()));
  EXPECT_LT((A.transpose() * y - b).norm(), 1e-12 * (1.0 + y.norm()));
}

void turn_all(Eigen::MatrixXd& A, double by, RandomStream& random) {
  for (double& a : A.reshaped())
    if (a != 0.0) a += by * random.uniform(-1.0, 1.0);
}

struct Sample {
  RandomStream random{3};
  Packing<2> p = pressed_packing<2>(8, 2);
  IsostaticList<2> list = list_of(p.model, p.state, pushing_pairs(p.state), p.load());
  Eigen::MatrixXd A{matrix_of(p.model, p.state, list)};
};

}  // namespace

TEST(ListFactor, replaced_rows_and_turned_normals_give_the_solution_of_the_matrix_itself) {
  Sample s;
  ListFactor factor;
  factor.set(s.A.sparseView());
  for (int change = 0; change < 40; ++change) {
    const int row = static_cast<int>(s.random.uniform() * static_cast<double>(s.A.rows()));
    Eigen::MatrixXd next = s.A;
    turn_all(next, 1e-6, s.random);
    next.row(row).setZero();
    for (int k = 0; k < 4; ++k)
      next(row, static_cast<int>(s.random.uniform() * static_cast<double>(next.cols()))) = s.random.uniform(-1.0, 1.0);
    if (is_singular(next)) continue;
    s.A = next;
    factor.set(s.A.sparseView());
    expect_solutions_of(s.A, factor, s.random);
  }
  EXPECT_EQ(factor.factorisations(), 1);
  factor.set(SparseRows(4, 4));
  Eigen::VectorXd x;
  EXPECT_FALSE(factor.solve(Eigen::VectorXd::Ones(4), x)) << "singular";
}

// By so much a normal turns when its bodies move past each other by a hundredth of their diameter.
TEST(ListFactor, normals_that_turn_by_a_hundredth_need_no_new_factor) {
  Sample s;
  ListFactor factor;
  factor.set(s.A.sparseView());
  for (int change = 0; change < 10; ++change) {
    Eigen::MatrixXd turned = s.A;
    turn_all(turned, 1e-2, s.random);
    if (is_singular(turned)) continue;
    factor.set(turned.sparseView());
    expect_solutions_of(turned, factor, s.random);
  }
  EXPECT_EQ(factor.factorisations(), 1);
}

TEST(ListFactor, bodies_that_leave_the_list_and_join_it_again_need_no_new_factor) {
  Sample s;
  const ListNames all = names_of(s.list);
  std::map<std::int32_t, std::vector<int>> rows;  // of the contacts of each body
  for (std::size_t l = 0; l < s.list.pairs.size(); ++l)
    for (const std::int32_t b : {s.list.pairs[l].a, s.list.pairs[l].b})
      if (!is_wall(b)) rows[b].push_back(static_cast<int>(l));
  ListFactor factor;
  factor.set(s.A.sparseView(), all);
  int lists = 0;
  // Without the body and two of its contacts; the others are held as before, and next time it is back.
  for (const auto& [body, of_body] : rows) {
    const int first = s.list.freedoms.column(static_cast<std::size_t>(body), 0);
    ListNames names;
    std::vector<int> kept_rows, kept_columns;
    for (int l = 0; l < s.A.rows(); ++l)
      if (l != of_body[0] && l != of_body[1]) kept_rows.push_back(l), names.row.push_back(all.row[static_cast<std::size_t>(l)]);
    for (int j = 0; j < s.A.cols(); ++j)
      if (j != first && j != first + 1)
        kept_columns.push_back(j), names.column.push_back(all.column[static_cast<std::size_t>(j)]);
    const Eigen::MatrixXd without = s.A(kept_rows, kept_columns);
    if (is_singular(without)) continue;
    ++lists;
    factor.set(without.sparseView(), names);
    expect_solutions_of(without, factor, s.random);
    factor.set(s.A.sparseView(), all);
    expect_solutions_of(s.A, factor, s.random);
    if (lists == 15) break;
  }
  EXPECT_EQ(lists, 15);
  EXPECT_EQ(factor.factorisations(), 1);
  // The other way: the list that was factorised lacks what the next one has.
  const std::vector<int> last = rows.rbegin()->second;
  ListNames names{{}, {}};
  std::vector<int> kept_rows, kept_columns;
  const int first = s.list.freedoms.column(static_cast<std::size_t>(rows.rbegin()->first), 0);
  for (int l = 0; l < s.A.rows(); ++l)
    if (l != last[0] && l != last[1]) kept_rows.push_back(l), names.row.push_back(all.row[static_cast<std::size_t>(l)]);
  for (int j = 0; j < s.A.cols(); ++j)
    if (j != first && j != first + 1) kept_columns.push_back(j), names.column.push_back(all.column[static_cast<std::size_t>(j)]);
  const Eigen::MatrixXd without = s.A(kept_rows, kept_columns);
  ASSERT_FALSE(is_singular(without));
  ListFactor smaller;
  smaller.set(without.sparseView(), names);
  expect_solutions_of(without, smaller, s.random);
  smaller.set(s.A.sparseView(), all);
  expect_solutions_of(s.A, smaller, s.random);
  EXPECT_EQ(smaller.factorisations(), 1);
}

}  // namespace moreau::statics
