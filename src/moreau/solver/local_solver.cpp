#include "moreau/solver/local_solver.hpp"

namespace moreau {

void conclude(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, LocalResult& result) {
  result.velocity = problem.velocity(result.impulse);
  result.time = watch.seconds();
  result.certificate = certify(problem, result.impulse, result.velocity);
  result.converged = result.certificate.error <= settings.tolerance;  // false for NaN
}

const std::vector<NamedSolver>& local_solvers() {
  static const std::vector<NamedSolver> all{
      {"auto", "sweeps first, the accurate solvers when sweeps stall", solve_local_gauss_seidel},
      {"gauss-seidel", "exact contact after contact", solve_local_gauss_seidel},
  };
  return all;
}

}  // namespace moreau
