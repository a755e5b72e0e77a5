#include "moreau/solver/given/dense_gauss_seidel.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "moreau/law/residual.hpp"
#include "moreau/solver/contact_part.hpp"
#include "moreau/solver/given/block_sweep.hpp"

namespace moreau::inline solver {
namespace {

template <int D>
double largest_component(const Vec<D>& a) {
  double largest = 0.0;
  for (int i = 0; i < D; ++i) largest = std::max(largest, std::abs(a[i]));
  return largest;
}

template <int D>
double law_residual(const DenseProblem& problem, const DenseResult& result) {
  double worst = 0.0;
  for (int a = 0; a < problem.contacts(); ++a) {
    const double trace = problem.delassus.diagonal().segment(D * a, D).sum();
    worst = std::max(worst, natural_residual(contact_part<D>(result.velocity, a), contact_part<D>(result.impulse, a),
                                             problem.friction[a], trace));
  }
  return worst;
}

// The criterion documented at DenseResult::unbounded.
bool grows_without_bound(const std::vector<double>& change, const std::vector<double>& magnitude) {
  const std::size_t half = change.size() / 2;
  if (half < 2) return false;
  for (std::size_t k = half; k < magnitude.size(); ++k)
    if (!(magnitude[k] > magnitude[k - 1])) return false;
  return change.back() >= 0.999 * change[half];
}

template <int D>
DenseResult solve(const DenseProblem& problem, const DenseSettings& settings, const Eigen::VectorXd& start) {
  const int contacts = problem.contacts();
  std::vector<int> order = settings.order;
  if (order.empty()) {
    order.resize(contacts);
    std::iota(order.begin(), order.end(), 0);
  }
  const LocalProblem local = local_problem(problem);
  const BlockSweep sweep(local);

  DenseResult result;
  result.impulse = start.size() ? start : Eigen::VectorXd::Zero(D * contacts);
  while (!result.converged && result.sweeps < settings.max_sweeps) {
    double change = 0.0;
    for (const int a : order) {
      const Vec<D> difference = sweep.relax<D>(result.impulse, a, settings.relaxation);
      change = std::max(change, settings.stop == DenseStop::impulse ? largest_component(difference)
                                                                    : norm(local.delassus.diagonal_block<D>(a) * difference));
    }
    double magnitude = 0.0;
    for (int a = 0; a < contacts; ++a) magnitude += norm(contact_part<D>(result.impulse, a));
    if (!std::isfinite(magnitude)) change = std::numeric_limits<double>::infinity();  // the largest of numbers forgets one that is none
    result.change.push_back(change);
    result.magnitude.push_back(magnitude);
    ++result.sweeps;
    result.converged = change <= settings.tolerance;
  }
  result.velocity = problem.velocity(result.impulse);
  result.residual = law_residual<D>(problem, result);
  result.unbounded = !result.converged && grows_without_bound(result.change, result.magnitude);
  if (!settings.keep_history) {
    result.change.clear();
    result.magnitude.clear();
  }
  return result;
}

}  // namespace

DenseResult solve_dense_gauss_seidel(const DenseProblem& problem, const DenseSettings& settings, const Eigen::VectorXd& start) {
  assert(problem.dimension == 2 || problem.dimension == 3);
  assert(problem.free.size() == problem.dimension * problem.contacts());
  assert(problem.delassus.rows() == problem.free.size() && problem.delassus.cols() == problem.free.size());
  assert(start.size() == 0 || start.size() == problem.free.size());
  return problem.dimension == 2 ? solve<2>(problem, settings, start) : solve<3>(problem, settings, start);
}

}  // namespace moreau::inline solver
