// Nonlinear Gauss-Seidel on a given matrix: sweeps until the error is reached. Cheap per sweep, robust; slow where forces have to
// spread through many contacts.
#include <cmath>

#include "moreau/solver/given/block_sweep.hpp"
#include "moreau/solver/given/local_solver.hpp"

namespace moreau::inline solver {

LocalResult solve_local_gauss_seidel(const LocalProblem& problem, const LocalSettings& settings) {
  const Stopwatch watch(settings.max_time, settings.max_cpu);
  const BlockSweep sweep(problem);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 10'000'000;
  LocalResult result;
  result.solver = "gauss-seidel";
  result.impulse = settings.start.size() ? settings.start : Eigen::VectorXd::Zero(problem.free.size());
  while (result.iterations < limit && !watch.over()) {
    const SweepMeasure measure = sweep.forward(result.impulse, settings.relaxation);
    ++result.iterations;
    if (measure.error(problem, sweep.given()) > settings.tolerance) continue;
    if (natural_error(problem, result.impulse, problem.velocity(result.impulse)).relative <= settings.tolerance) break;
    if (measure.change == 0.0) break;  // sweeps can do no more
  }
  conclude(problem, settings, watch, result);
  return result;
}

}  // namespace moreau::inline solver
