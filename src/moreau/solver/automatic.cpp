// The default: cheap solvers first.
//
//   no contact approaches freely    r = 0
//   no friction anywhere            the quadratic program
//   otherwise                       sweeps with conjugate directions, as long as they are expected to end soon; then proximal Newton,
//                                   from zero: the smoothing of its first steps finds better statuses than stalled sweeps; if that does
//                                   not get on either, the smoothing continuation, and Newton from where it ends
// All decisions rest on counts and errors, none on the clock: the same problem gives the same bits.
#include <algorithm>
#include <cmath>

#include "moreau/solver/conjugate_sweeps.hpp"
#include "moreau/solver/proximal_newton.hpp"

namespace moreau {
namespace {

constexpr int patience = 2000;       // sweeps; a Newton step costs about as much as a hundred, and ten to forty are needed
constexpr int first_attempt = 1000;  // Newton steps before the continuation is tried
constexpr int continuation = 200;    // steps granted to the continuation

bool approaches(const LocalProblem& problem) {
  for (int a = 0; a < problem.contacts(); ++a)
    if (problem.free[problem.dimension() * a] < 0.0) return true;
  return false;
}

// Keeps the better of what it has and what it is offered.
struct Best {
  LocalResult& result;
  double error;

  void offer(const char* solver, const Eigen::VectorXd& impulse, double offered, int iterations) {
    result.iterations += iterations;
    if (!(offered < error)) return;
    error = offered, result.impulse = impulse, result.solver = solver;
  }
};

void accurate(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, LocalResult& result) {
  Best best{result, natural_error(problem, result.impulse, problem.velocity(result.impulse)).relative};
  NewtonSettings newton;
  newton.tolerance = settings.tolerance, newton.max_time = settings.max_time, newton.max_steps = first_attempt;
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(problem.free.size());
  const NewtonOutcome first = newton_steps(problem, newton, watch, impulse);
  best.offer("newton", impulse, first.error, first.steps);
  if (best.error <= settings.tolerance || watch.seconds() > settings.max_time) return;

  LocalSettings rest = settings;
  rest.max_time = settings.max_time - watch.seconds(), rest.max_iterations = continuation, rest.start = {};
  const LocalResult smoothed = solve_smoothing_newton(problem, rest);
  best.offer("smoothing", smoothed.impulse, smoothed.certificate.error, smoothed.iterations);
  if (best.error <= settings.tolerance) return;

  newton.max_steps = NewtonSettings{}.max_steps;
  impulse = smoothed.certificate.error < 100.0 * best.error ? smoothed.impulse : result.impulse;
  const NewtonOutcome second = newton_steps(problem, newton, watch, impulse);
  best.offer("newton", impulse, second.error, second.steps);
}

}  // namespace

LocalResult solve_automatic(const LocalProblem& problem, const LocalSettings& settings) {
  const Stopwatch watch;
  LocalResult result;
  result.impulse = settings.start.size() ? settings.start : Eigen::VectorXd::Zero(problem.free.size());
  if (!approaches(problem)) {
    result.solver = "none needed";
    result.impulse.setZero();
  } else if (std::ranges::all_of(problem.friction, [](double mu) { return mu == 0.0; })) {
    return solve_frictionless_program(problem, settings);
  } else {
    result.solver = "nncg";
    if (!conjugate_sweeps(problem, settings, patience, watch, result.impulse, result.iterations)) accurate(problem, settings, watch, result);
  }
  conclude(problem, settings, watch, result);
  return result;
}

}  // namespace moreau
