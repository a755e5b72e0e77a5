// The frictionless problem is the quadratic program  min 1/2 x.W x + q.x,  x >= 0,  over the normal impulses x: active sets.
//
// normal_program.hpp around the last x, with alpha shrinking, as in the proximal Newton method: W may be singular. When the sets
// run in a circle, alpha grows. Problems with friction are handed to the proximal Newton method.
#include <algorithm>
#include <cmath>

#include "moreau/solver/given/normal_program.hpp"
#include "moreau/solver/given/proximal_newton.hpp"

namespace moreau::inline solver {

LocalResult solve_frictionless_program(const LocalProblem& problem, const LocalSettings& settings) {
  const bool frictionless = std::ranges::all_of(problem.friction, [](double mu) { return mu == 0.0; });
  if (!frictionless || problem.contacts() == 0) return solve_proximal_newton(problem, settings);
  const Stopwatch watch(settings.max_time, settings.max_cpu);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 10000, d = problem.dimension();
  NormalProgram program(problem);
  LocalResult result;
  result.solver = "frictionless";
  result.impulse = Eigen::VectorXd::Zero(problem.free.size());
  Eigen::VectorXd x = Eigen::VectorXd::Zero(problem.contacts()), next, impulse = result.impulse;
  if (settings.start.size())
    for (int a = 0; a < x.size(); ++a) x[a] = std::max(0.0, settings.start[d * a]);
  double alpha = 1e-6 * program.stiffness(), least = HUGE_VAL;
  bool looked = false;
  while (least > settings.tolerance && result.iterations < limit && !watch.over()) {
    next = x;
    if (program.settle(alpha, x, watch, next, result.iterations)) {
      x = next.cwiseMax(0.0);
      alpha = std::max(1e-12 * program.stiffness(), 0.1 * alpha);
    } else {
      ++result.iterations;
      alpha = std::min(program.stiffness(), 10.0 * alpha);
    }
    for (int a = 0; a < x.size(); ++a) impulse[d * a] = x[a];
    const double error = natural_error(problem, impulse, problem.velocity(impulse)).relative;
    if (error < least) least = error, result.impulse = impulse;
    if (!looked && least > settings.tolerance && impulses_grow(problem, impulse)) {
      looked = true, result.squeeze = find_squeeze(problem, watch);
      if (result.squeeze) break;
    }
  }
  conclude(problem, settings, watch, result);
  return result;
}

}  // namespace moreau::inline solver
