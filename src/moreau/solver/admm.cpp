// Alternating direction method of multipliers: the linear part and the cone are solved in turn,
//
//   r = (W + rho)^-1 (rho (z - y) - q - mu |u_T| n),     z = P_K(r + y),     y <- y + r - z
//
// where the shift mu |u_T| n is taken from the multiplier (-rho y tends to u + mu |u_T| n; Acary and Cadoux's fixed point, one step at a
// time). One sparse
// factorisation serves all iterations with the same rho; rho follows the ratio of the two residuals |r - z| and rho |z - z_old|, at
// growing intervals, since each change costs a factorisation. Cholesky (CHOLMOD) where W is symmetric, LU where it is not.
#include <Eigen/CholmodSupport>
#include <Eigen/UmfPackSupport>
#include <algorithm>
#include <cmath>

#include "moreau/law/residual.hpp"
#include "moreau/solver/contact_part.hpp"
#include "moreau/solver/local_solver.hpp"

namespace moreau {
namespace {

class ShiftedSolve {
 public:
  explicit ShiftedSolve(const BlockMatrix& W) : matrix_(column_major(W)), identity_(matrix_.rows(), matrix_.cols()) {
    identity_.setIdentity();
    const Eigen::SparseMatrix<double> skew = matrix_ - Eigen::SparseMatrix<double>(matrix_.transpose());
    symmetric_ = skew.norm() <= 1e-12 * matrix_.norm();
  }

  bool factorise(double rho) {
    shifted_ = matrix_ + rho * identity_;  // kept: the LU looks at it again when it solves
    if (symmetric_) {
      cholesky_.compute(shifted_);
      if (cholesky_.info() == Eigen::Success) return true;
      symmetric_ = false;  // slightly indefinite
    }
    lu_.compute(shifted_);
    return lu_.info() == Eigen::Success;
  }

  Eigen::VectorXd solve(const Eigen::VectorXd& right) { return symmetric_ ? Eigen::VectorXd(cholesky_.solve(right)) : Eigen::VectorXd(lu_.solve(right)); }

 private:
  Eigen::SparseMatrix<double> matrix_, identity_, shifted_;
  bool symmetric_ = true;
  Eigen::CholmodDecomposition<Eigen::SparseMatrix<double>> cholesky_;
  Eigen::UmfPackLU<Eigen::SparseMatrix<double>> lu_;
};

template <int D>
void shift(const LocalProblem& problem, const Eigen::VectorXd& velocity, Eigen::VectorXd& shifted) {
  shifted = problem.free;
  for (int a = 0; a < problem.contacts(); ++a) shifted[D * a] += problem.friction[a] * tangent_norm(contact_part<D>(velocity, a));
}

template <int D>
int iterate(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, Eigen::VectorXd& impulse) {
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 1'000'000;
  ShiftedSolve solver(problem.delassus);
  double trace = 0.0;
  for (int a = 0; a < problem.contacts(); ++a)
    for (int i = 0; i < D; ++i) trace += problem.delassus.block(problem.delassus.diagonal[a])[(D + 1) * i];
  double rho = 0.1 * std::max(trace / static_cast<double>(problem.free.size()), std::numeric_limits<double>::min());
  if (!solver.factorise(rho)) return 0;
  Eigen::VectorXd z = impulse, y = Eigen::VectorXd::Zero(z.size()), velocity = problem.velocity(z), shifted, r, old;
  Eigen::VectorXd best = z;
  double least = natural_error(problem, z, velocity).relative;
  int iterations = 0, next_change = 10;
  while (least > settings.tolerance && iterations < limit && watch.seconds() < settings.max_time) {
    shift<D>(problem, rho * y, shifted);
    r = solver.solve(rho * (z - y) - shifted);
    old = z;
    for (int a = 0; a < problem.contacts(); ++a)
      set_contact_part<D>(z, a, project_on_cone(Vec<D>(contact_part<D>(r, a) + contact_part<D>(y, a)), problem.friction[a]));
    y += r - z;
    ++iterations;
    velocity = problem.velocity(z);
    const double error = natural_error(problem, z, velocity).relative;
    if (error < least) least = error, best = z;
    if (iterations < next_change) continue;
    // Each over what it should be small against: impulses, velocities.
    const double primal = (r - z).norm() / std::max({r.norm(), z.norm(), 1e-300});
    const double dual = rho * (z - old).norm() / std::max({(velocity - problem.free).norm(), problem.free.norm(), 1e-300});
    if (primal > 10.0 * dual || dual > 10.0 * primal) {
      const double factor = primal > dual ? 3.0 : 1.0 / 3.0;
      rho *= factor, y /= factor;
      if (!solver.factorise(rho)) break;
    }
    next_change = iterations + std::max(10, iterations / 2);
  }
  impulse = best;
  return iterations;
}

}  // namespace

LocalResult solve_admm(const LocalProblem& problem, const LocalSettings& settings) {
  const Stopwatch watch;
  LocalResult result;
  result.solver = "admm";
  result.impulse = settings.start.size() ? settings.start : Eigen::VectorXd::Zero(problem.free.size());
  if (problem.contacts() > 0)
    result.iterations = problem.dimension() == 2 ? iterate<2>(problem, settings, watch, result.impulse) : iterate<3>(problem, settings, watch, result.impulse);
  conclude(problem, settings, watch, result);
  return result;
}

}  // namespace moreau
