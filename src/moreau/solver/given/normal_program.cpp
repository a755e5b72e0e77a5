#include "moreau/solver/given/normal_program.hpp"

#include <Eigen/CholmodSupport>
#include <Eigen/UmfPackSupport>
#include <algorithm>
#include <limits>

namespace moreau::inline solver {

NormalProgram::NormalProgram(const LocalProblem& problem) : q_(problem.contacts()), position_(problem.contacts()) {
  const BlockMatrix& W = problem.delassus;
  const int d = problem.dimension();
  Eigen::SparseMatrix<double, Eigen::RowMajor> rows(W.rows(), W.rows());
  for (int a = 0; a < W.rows(); ++a) {
    rows.startVec(a);
    q_[a] = problem.free[d * a];
    for (int place = W.start[a]; place < W.start[a + 1]; ++place) rows.insertBack(a, W.column[place]) = W.block(place)[0];
  }
  rows.finalize();
  W_ = rows;
  const Eigen::SparseMatrix<double> skew = W_ - Eigen::SparseMatrix<double>(W_.transpose());
  symmetric_ = skew.norm() <= 1e-12 * W_.norm();
  stiffness_ = std::max(W_.diagonal().cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
}

bool NormalProgram::settle(double alpha, const Eigen::VectorXd& centre, const Stopwatch& watch, Eigen::VectorXd& x, int& steps) {
  std::vector<char> closed(x.size()), last;
  for (int k = 0; k < 60 && !watch.over(); ++k) {
    const Eigen::VectorXd u = W_ * x + alpha * (x - centre) + q_;
    for (int a = 0; a < x.size(); ++a) closed[a] = x[a] - u[a] / stiffness_ > 0.0;
    if (closed == last) return true;
    ++steps;
    if (!solve(closed, alpha, centre, x)) return false;
    last = closed;
  }
  return false;
}

bool NormalProgram::solve(const std::vector<char>& closed, double alpha, const Eigen::VectorXd& centre, Eigen::VectorXd& x) {
  int size = 0;
  for (int a = 0; a < x.size(); ++a) position_[a] = closed[a] ? size++ : -1;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd right(size);
  for (int b = 0; b < x.size(); ++b) {
    if (!closed[b]) continue;
    right[position_[b]] = alpha * centre[b] - q_[b];
    entries.emplace_back(position_[b], position_[b], alpha);
    for (Eigen::SparseMatrix<double>::InnerIterator e(W_, b); e; ++e)
      if (closed[e.row()]) entries.emplace_back(position_[e.row()], position_[b], e.value());
  }
  x.setZero();
  if (size == 0) return true;
  Eigen::SparseMatrix<double> active(size, size);
  active.setFromTriplets(entries.begin(), entries.end());
  Eigen::VectorXd solution;
  if (symmetric_) {
    Eigen::CholmodDecomposition<Eigen::SparseMatrix<double>> cholesky(active);
    if (cholesky.info() != Eigen::Success) return false;
    solution = cholesky.solve(right);
  } else {
    Eigen::UmfPackLU<Eigen::SparseMatrix<double>> lu(active);
    if (lu.info() != Eigen::Success) return false;
    solution = lu.solve(right);
  }
  for (int a = 0; a < x.size(); ++a)
    if (closed[a]) x[a] = solution[position_[a]];
  return x.allFinite();
}

}  // namespace moreau::inline solver
