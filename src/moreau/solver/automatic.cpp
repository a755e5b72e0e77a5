// The default: cheap solvers first.
//
//   no contact approaches freely    r = 0
//   no friction anywhere            the quadratic program
//   otherwise                       a few sweeps with conjugate directions over all contacts; then part by part (sets of contacts
//                                   that do not feel one another), each until its share of the error is small enough: sweeps as
//                                   long as they are expected to end soon, then alternating directions, which find the statuses
//                                   of the contacts, and proximal Newton, which makes them exact, in turn
// All decisions rest on counts and errors, none on the clock: the same problem gives the same bits.
#include <algorithm>
#include <cmath>

#include "moreau/solver/admm.hpp"
#include "moreau/solver/conjugate_sweeps.hpp"
#include "moreau/solver/local_parts.hpp"
#include "moreau/solver/proximal_newton.hpp"

namespace moreau {
namespace {

constexpr int first_sweeps = 16;  // over all contacts, before the parts are told apart
constexpr int patience = 400;     // sweeps: as long as the alternating directions would take
constexpr int first_burst = 500;  // iterations of the alternating directions before Newton tries; then twice as many ...
constexpr int first_steps = 100;  // Newton steps between two looks at its progress; then twice as many ...

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

// Newton from `impulse`, as long as each `steps` halve the error.
void attempt(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, int steps,
             Eigen::VectorXd impulse, Best& best) {
  NewtonSettings newton;
  newton.tolerance = settings.tolerance, newton.max_time = settings.max_time, newton.max_steps = steps;
  double before = HUGE_VAL;
  for (;;) {
    const NewtonOutcome outcome = newton_steps(problem, newton, watch, impulse);
    best.offer("newton", impulse, outcome.error, outcome.steps);
    if (best.error <= settings.tolerance || watch.seconds() > settings.max_time || outcome.error > 0.5 * before) return;
    before = outcome.error, newton.alpha = outcome.alpha;
  }
}

// Alternating directions and Newton in turn, each for longer every time, from where the other got if that is nearer.
void accurate(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, LocalResult& result) {
  Best best{result, natural_error(problem, result.impulse, problem.velocity(result.impulse)).relative};
  const auto over = [&] { return best.error <= settings.tolerance || watch.seconds() > settings.max_time; };
  Admm admm(problem);
  admm.start(Eigen::VectorXd::Zero(problem.free.size()));
  for (int round = 1; !over(); round = std::min(2 * round, 1 << 20)) {
    const int before = admm.iterations();
    admm.run(round * first_burst, settings.tolerance, settings.max_time, watch);
    best.offer("admm", admm.best(), admm.error(), admm.iterations() - before);
    if (!over()) attempt(problem, settings, watch, round * first_steps, admm.best(), best);
    if (!over() && best.error < 0.3 * admm.error()) admm.start(result.impulse);
  }
}

void solve_part(const LocalProblem& part, const LocalSettings& settings, const Stopwatch& watch, LocalResult& result) {
  if (!approaches(part)) {
    result.impulse.setZero();
    return;
  }
  if (conjugate_sweeps(part, settings, patience, watch, result.impulse, result.iterations)) return;
  accurate(part, settings, watch, result);
}

double scale_of(const LocalProblem& problem, const LocalResult& result) {
  return std::max({problem.free.norm(), result.impulse.norm(), problem.velocity(result.impulse).norm()});
}

// Part by part. Errors add up in squares: a part with a share s of the contacts may have a share s of the square of the whole.
// The scale of the whole is known only in the end; if it turns out smaller than thought, once more.
void solve_parts(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, LocalResult& result) {
  const auto parts = parts_of(problem.delassus);
  if (parts.size() == 1) return solve_part(problem, settings, watch, result);
  for (double caution = 0.9; caution > 0.01 && watch.seconds() < settings.max_time; caution *= 0.5) {
    const double scale = scale_of(problem, result);
    const int before = result.iterations;
    int most = 0;  // iterations of the part that needed most: named as the solver
    for (const auto& contacts : parts) {
      LocalProblem part = part_of(problem, contacts);
      part.scale = caution * scale * std::sqrt(static_cast<double>(contacts.size()) / problem.contacts());
      LocalResult found;
      found.solver = "nncg";
      found.impulse = gather(result.impulse, contacts, problem.dimension());
      solve_part(part, settings, watch, found);
      scatter(found.impulse, contacts, problem.dimension(), result.impulse);
      if (found.iterations > most) most = found.iterations, result.solver = found.solver;
      result.iterations += found.iterations;
    }
    if (natural_error(problem, result.impulse, problem.velocity(result.impulse)).relative <= settings.tolerance) return;
    if (result.iterations == before) return;
  }
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
    LocalSettings first = settings;
    first.max_iterations = first_sweeps;
    if (!conjugate_sweeps(problem, first, 0, watch, result.impulse, result.iterations))
      solve_parts(problem, settings, watch, result);
  }
  conclude(problem, settings, watch, result);
  return result;
}

}  // namespace moreau
