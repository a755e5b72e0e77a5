#include "moreau/solver/given/global_problem.hpp"

namespace moreau::inline solver {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

void append(Triplets& to, const Eigen::SparseMatrix<double>& matrix, int row, int column, double factor, bool transposed) {
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(matrix, j); e; ++e)
      to.emplace_back(row + static_cast<int>(transposed ? e.col() : e.row()),
                      column + static_cast<int>(transposed ? e.row() : e.col()), factor * e.value());
}

LocalProblem local_of(const Eigen::SparseMatrix<double>& W, Eigen::VectorXd q, std::vector<double> friction, int dimension) {
  return {block_matrix(Eigen::SparseMatrix<double, Eigen::RowMajor>(W), dimension), std::move(q), std::move(friction)};
}

}  // namespace

std::optional<ReducedProblem> reduce(const GlobalProblem& problem) {
  const int n = static_cast<int>(problem.M.rows()), p = static_cast<int>(problem.G.cols());
  Triplets entries;
  append(entries, problem.M, 0, 0, 1.0, false);
  append(entries, problem.G, 0, n, -1.0, false);
  append(entries, problem.G, n, 0, 1.0, true);
  Eigen::SparseMatrix<double> K(n + p, n + p);
  K.setFromTriplets(entries.begin(), entries.end());

  ReducedProblem reduced;
  const auto inverse = std::make_shared<const ComponentInverse>(K);
  if (inverse->singular()) return {};
  reduced.inverse = inverse;
  reduced.global_size = n;
  reduced.contact_columns = problem.H;
  reduced.contact_columns.conservativeResize(n + p, problem.H.cols());
  reduced.constant.resize(n + p);
  reduced.constant.head(n) = problem.f;
  if (p > 0) reduced.constant.tail(p) = -problem.b;
  const Eigen::SparseMatrix<double> transposed = reduced.contact_columns.transpose();
  const Eigen::SparseMatrix<double> W = transposed * inverse->solve(reduced.contact_columns);
  const Eigen::VectorXd q = transposed * inverse->solve(reduced.constant) + problem.w;
  reduced.local = local_of(W, q, problem.friction, problem.dimension);
  if (p == 0 && 5 * n < 4 * problem.H.cols())
    reduced.local.bodies = std::make_shared<const BodyForm>(problem.M, problem.H, problem.dimension);
  return reduced;
}

std::optional<ReducedProblem> reduce(const MixedProblem& problem) {
  ReducedProblem reduced;
  if (problem.V.cols() == 0) {
    reduced.local = local_of(problem.W, problem.q, problem.friction, problem.dimension);
    return reduced;
  }
  const auto inverse = std::make_shared<const ComponentInverse>(problem.R);
  if (inverse->singular()) return {};
  reduced.inverse = inverse;
  reduced.contact_columns = problem.V.transpose();
  reduced.constant = problem.s;
  const Eigen::SparseMatrix<double> correction = problem.V * inverse->solve(reduced.contact_columns);
  const Eigen::SparseMatrix<double> W = problem.W - correction;
  reduced.local = local_of(W, problem.q - problem.V * inverse->solve(problem.s), problem.friction, problem.dimension);
  return reduced;
}

ReducedProblem::Rest ReducedProblem::rest(const Eigen::VectorXd& impulse) const {
  if (!inverse) return {};
  const Eigen::VectorXd solution = inverse->solve(Eigen::VectorXd(contact_columns * impulse + constant));
  if (global_size == 0) return {{}, -solution};
  return {solution.head(global_size), solution.tail(solution.size() - global_size)};
}

}  // namespace moreau::inline solver
