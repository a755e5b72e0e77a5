// Gauss-Seidel with over-relaxation and a safeguard: omega > 1 while the error falls; when a group of sweeps ends with a larger
// error than the best before, the impulses go back to that best and omega half way towards 1.
#include <algorithm>

#include "moreau/solver/given/block_sweep.hpp"
#include "moreau/solver/given/local_solver.hpp"

namespace moreau::inline solver {

LocalResult solve_over_relaxed(const LocalProblem& problem, const LocalSettings& settings) {
  const Stopwatch watch(settings.max_time, settings.max_cpu);
  const BlockSweep sweep(problem);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 10'000'000, group = 20;
  double omega = settings.relaxation > 1.0 ? settings.relaxation : 1.4;
  LocalResult result;
  result.solver = "over-relaxed";
  result.impulse = settings.start.size() ? settings.start : Eigen::VectorXd::Zero(problem.free.size());
  Eigen::VectorXd best = result.impulse;
  double least = natural_error(problem, best, problem.velocity(best)).relative;
  while (least > settings.tolerance && result.iterations < limit && !watch.over()) {
    double change = 0.0;
    for (int k = 0; k < group && result.iterations < limit && !watch.over(); ++k, ++result.iterations)
      change = sweep.forward(result.impulse, omega).change;
    const double error = natural_error(problem, result.impulse, problem.velocity(result.impulse)).relative;
    if (error < least) {
      least = error, best = result.impulse;
    } else if (omega > 1.0) {
      result.impulse = best;
      omega = omega > 1.01 ? 0.5 * (1.0 + omega) : 1.0;
    }
    if (change == 0.0) break;  // sweeps can do no more
  }
  result.impulse = best;
  conclude(problem, settings, watch, result);
  return result;
}

}  // namespace moreau::inline solver
