// Nonsmooth nonlinear conjugate gradient on top of Gauss-Seidel (Silcowitz, Niebe and Erleben 2010): the change brought by a
// sweep, g = r - sweep(r), plays the part of the gradient; a conjugate direction is added by the rule of Fletcher and Reeves,
//   beta = |g_new|^2 / |g|^2,    beta > 1: restart,    otherwise  r <- sweep(r) + beta^2 p,  p <- beta p - g_new
// and the impulses are brought back into the cones. beta^2 instead of their beta: a little less is carried on. The best point met
// is kept.
#include "moreau/solver/given/conjugate_sweeps.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/solver/block_cone.hpp"
#include "moreau/solver/contact_part.hpp"
#include "moreau/solver/given/block_sweep.hpp"

namespace moreau::inline solver {
namespace {

template <int D>
void project_all(const LocalProblem& problem, Eigen::VectorXd& impulse) {
  for (int a = 0; a < problem.contacts(); ++a)
    set_contact_part<D>(impulse, a, onto_cone(contact_part<D>(impulse, a), problem.friction[a]));
}

// Judges, each time the number of sweeps has doubled, whether those to come will be few enough: from the fall of the smallest
// error over the second half of the sweeps made.
class Judge {
 public:
  Judge(int patience, double tolerance) : patience_(patience), tolerance_(tolerance) {}

  bool too_slow(int sweeps, double least) {
    if (patience_ <= 0 || sweeps < next_) return false;
    const double rate = std::log(earlier_ / least) / (sweeps / 2);  // per sweep; infinite the first time
    earlier_ = least, next_ = 2 * sweeps;
    return !(rate > 0.0) || std::log(least / tolerance_) / rate > patience_;
  }

 private:
  int patience_, next_ = 16;
  double tolerance_, earlier_ = HUGE_VAL;
};

}  // namespace

bool conjugate_sweeps(const LocalProblem& problem, const LocalSettings& settings, int patience, const Stopwatch& watch,
                      Eigen::VectorXd& r, int& sweeps) {
  const BlockSweep sweep(problem);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 10'000'000;
  Eigen::VectorXd before, best = r, direction = Eigen::VectorXd::Zero(r.size());
  Judge judge(patience, settings.tolerance);
  double square = 0.0, least = HUGE_VAL;
  while (sweeps < limit && !watch.over()) {
    before = r;
    const SweepMeasure measure = sweep.forward(r);
    ++sweeps;
    const double error = measure.error(problem, sweep.given());
    if (error < least) least = error, best = r;
    if (error <= settings.tolerance && natural_error(problem, r, problem.velocity(r)).relative <= settings.tolerance) return true;
    if (measure.change == 0.0 || judge.too_slow(sweeps, least)) break;
    const double beta = square > 0.0 ? measure.change / square : HUGE_VAL;
    square = measure.change;
    if (beta > 1.0) {
      direction = r - before;
      continue;
    }
    before = r - before;
    direction = beta * direction + before;
    r += beta * (direction - before);
    if (problem.dimension() == 2)
      project_all<2>(problem, r);
    else
      project_all<3>(problem, r);
  }
  r = best;
  return natural_error(problem, r, problem.velocity(r)).relative <= settings.tolerance;
}

LocalResult solve_conjugate_sweeps(const LocalProblem& problem, const LocalSettings& settings) {
  const Stopwatch watch(settings.max_time, settings.max_cpu);
  LocalResult result;
  result.solver = "nncg";
  result.impulse = settings.start.size() ? settings.start : Eigen::VectorXd::Zero(problem.free.size());
  conjugate_sweeps(problem, settings, 0, watch, result.impulse, result.iterations);
  conclude(problem, settings, watch, result);
  return result;
}

}  // namespace moreau::inline solver
