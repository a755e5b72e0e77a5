#include "moreau/solver/given/local_solver.hpp"

namespace moreau::inline solver {

void conclude(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, LocalResult& result) {
  result.time = watch.seconds();
  result.processor_time = watch.processor_seconds();
  result.velocity = problem.velocity(result.impulse);
  result.certificate = certify(problem, result.impulse, result.velocity);
  result.converged = result.certificate.reached(settings.tolerance);
}

const std::vector<NamedSolver>& local_solvers() {
  static const std::vector<NamedSolver> all{
      {"auto", "sweeps first, Newton when they stall, continuation when that stalls", solve_automatic},
      {"gauss-seidel", "exact contact after contact", solve_local_gauss_seidel},
      {"over-relaxed", "Gauss-Seidel with over-relaxation and a safeguard", solve_over_relaxed},
      {"nncg", "conjugate directions on top of Gauss-Seidel", solve_conjugate_sweeps},
      {"admm", "linear part and cones in turn, sparse Cholesky, adaptive penalty", solve_admm},
      {"newton", "proximal point with smoothed Newton: accurate, also for hyperstatic problems", solve_proximal_newton},
      {"smoothing", "Newton on the law with corners rounded off less and less", solve_smoothing_newton},
      {"frictionless", "active sets of the quadratic program; for mu = 0 throughout", solve_frictionless_program},
  };
  return all;
}

}  // namespace moreau::inline solver
