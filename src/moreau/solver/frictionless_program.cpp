// The frictionless problem is the quadratic program  min 1/2 x.W x + q.x,  x >= 0,  over the normal impulses x: active sets.
//
// The set A of closed contacts is guessed from x - rho u > 0; W_AA x_A = -q_A is solved by sparse Cholesky, the others get 0, and
// the guess is renewed until it repeats (Newton's method for the complementarity problem). W may be singular: as in the proximal
// Newton method, W + alpha and q - alpha x replace W and q, around the last x, with alpha shrinking. When the sets run in a
// circle, alpha grows. Problems with friction are handed to the proximal Newton method.
#include <Eigen/CholmodSupport>
#include <Eigen/UmfPackSupport>
#include <algorithm>
#include <cmath>

#include "moreau/solver/proximal_newton.hpp"

namespace moreau {
namespace {

class NormalProgram {
 public:
  explicit NormalProgram(const LocalProblem& problem) : q_(problem.contacts()), position_(problem.contacts()) {
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

  double stiffness() const { return stiffness_; }

  // The solution for W + alpha, q - alpha centre; false if the sets did not settle. `steps` counts factorisations.
  bool settle(double alpha, const Eigen::VectorXd& centre, Eigen::VectorXd& x, int& steps) {
    std::vector<char> closed(x.size()), last;
    for (int k = 0; k < 60; ++k) {
      const Eigen::VectorXd u = W_ * x + alpha * (x - centre) + q_;
      for (int a = 0; a < x.size(); ++a) closed[a] = x[a] - u[a] / stiffness_ > 0.0;
      if (closed == last) return true;
      ++steps;
      if (!solve(closed, alpha, centre, x)) return false;
      last = closed;
    }
    return false;
  }

 private:
  bool solve(const std::vector<char>& closed, double alpha, const Eigen::VectorXd& centre, Eigen::VectorXd& x) {
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

  Eigen::SparseMatrix<double> W_;
  Eigen::VectorXd q_;
  std::vector<int> position_;
  bool symmetric_ = true;
  double stiffness_ = 1.0;
};

}  // namespace

LocalResult solve_frictionless_program(const LocalProblem& problem, const LocalSettings& settings) {
  const bool frictionless = std::ranges::all_of(problem.friction, [](double mu) { return mu == 0.0; });
  if (!frictionless || problem.contacts() == 0) return solve_proximal_newton(problem, settings);
  const Stopwatch watch;
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 10000, d = problem.dimension();
  NormalProgram program(problem);
  LocalResult result;
  result.solver = "frictionless";
  result.impulse = Eigen::VectorXd::Zero(problem.free.size());
  Eigen::VectorXd x = Eigen::VectorXd::Zero(problem.contacts()), next, impulse = result.impulse;
  if (settings.start.size())
    for (int a = 0; a < x.size(); ++a) x[a] = std::max(0.0, settings.start[d * a]);
  double alpha = 1e-6 * program.stiffness(), least = HUGE_VAL;
  while (least > settings.tolerance && result.iterations < limit && watch.seconds() < settings.max_time) {
    next = x;
    if (program.settle(alpha, x, next, result.iterations)) {
      x = next.cwiseMax(0.0);
      alpha = std::max(1e-12 * program.stiffness(), 0.1 * alpha);
    } else {
      ++result.iterations;
      alpha = std::min(program.stiffness(), 10.0 * alpha);
    }
    for (int a = 0; a < x.size(); ++a) impulse[d * a] = x[a];
    const double error = natural_error(problem, impulse, problem.velocity(impulse)).relative;
    if (error < least) least = error, result.impulse = impulse;
  }
  conclude(problem, settings, watch, result);
  return result;
}

}  // namespace moreau
