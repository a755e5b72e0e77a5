// Proximal point method, each point found by a smoothed Newton method.
//
// Outer iteration: r is replaced by the solution of the problem with W + alpha instead of W and q - alpha r instead of q. Its
// fixed points are the solutions; the matrix is regular even where W is not (hyperstatic problems), and the part of r in the
// kernel of W stays where it is. alpha shrinks while this is easy and grows when it is not: as alpha -> 0 convergence is faster
// than any rate. Inner iteration: Newton on F(r) = (r - target(r - rho u)) / rho, the law of Alart and Curnier, with line search
// on |F|. The matrix is that of the law with corners rounded off in proportion to |F| (smooth_law.hpp): a contact near the border
// between two statuses is given a mixture of both, so that Newton does not jump to and fro between them; near the solution it is
// the exact one. Each inner step costs one sparse LU.
#include "moreau/solver/given/proximal_newton.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/law/smooth_law.hpp"
#include "moreau/solver/block_cone.hpp"
#include "moreau/solver/contact_part.hpp"
#include "moreau/solver/given/newton_system.hpp"

namespace moreau::inline solver {
namespace {

constexpr int inner_limit = 40;      // steps for one proximal point
constexpr int refusals = 5;          // steps without descent before the point is given up
constexpr double rounding = 0.3;     // corners rounded off by this part of the root mean square of F
constexpr double open_slope = 1e-9;  // a contact whose target moves less than this with z is open

template <int D>
class Newton {
 public:
  explicit Newton(const LocalProblem& problem) : problem_(problem), system_(problem), rows_(problem.contacts()) {}

  void refresh() { system_.refresh(); }  // after the problem has changed, its pattern not
  double stiffness() const { return system_.stiffness(); }

  double residual(const Eigen::VectorXd& impulse, Eigen::VectorXd& F) const {
    const Eigen::VectorXd velocity = problem_.velocity(impulse);
    F.resize(impulse.size());
    for (int a = 0; a < problem_.contacts(); ++a) {
      const double rho = system_.rho(a);
      const Vec<D> r = contact_part<D>(impulse, a);
      set_contact_part<D>(F, a,
                          (1.0 / rho) * (r - exact_target(Vec<D>(r - rho * contact_part<D>(velocity, a)), problem_.friction[a])));
    }
    return F.norm();
  }

  // The step dr, corners rounded off by eps [velocity]; false if there is none.
  bool step(const Eigen::VectorXd& impulse, const Eigen::VectorXd& F, double eps, Eigen::VectorXd& dr) {
    const Eigen::VectorXd velocity = problem_.velocity(impulse);
    Eigen::VectorXd right = -F;
    for (int a = 0; a < problem_.contacts(); ++a) {
      const double rho = system_.rho(a);
      const Smooth<D> law(contact_part<D>(impulse, a) - rho * contact_part<D>(velocity, a), problem_.friction[a], eps * rho);
      rows_[a].open = law.slope < open_slope;
      if (rows_[a].open) right.segment(D * a, D) *= rho;
      law.equations(rho, rows_[a].A, rows_[a].B);
    }
    if (!system_.factorise(rows_)) return false;
    dr = system_.solve(rows_, right);
    return dr.allFinite();
  }

 private:
  const LocalProblem& problem_;
  NewtonSystem<D> system_;
  std::vector<NewtonRow<D>> rows_;
};

template <int D>
void project_all(const LocalProblem& problem, Eigen::VectorXd& impulse) {
  for (int a = 0; a < problem.contacts(); ++a)
    set_contact_part<D>(impulse, a, onto_cone(contact_part<D>(impulse, a), problem.friction[a]));
}

// W + alpha, q - alpha centre.
void regularise(const LocalProblem& problem, double alpha, const Eigen::VectorXd& centre, LocalProblem& regular) {
  const int d = problem.dimension();
  regular.delassus.value = problem.delassus.value;
  for (const int place : problem.delassus.diagonal)
    for (int i = 0; i < d; ++i) regular.delassus.value[static_cast<std::size_t>(place) * d * d + (d + 1) * i] += alpha;
  regular.free = problem.free - alpha * centre;
  regular.shift = problem.shift + alpha;
}

struct Inner {
  int steps = 0;
  bool found = false;
};

// The proximal point around `impulse`, which it replaces.
template <int D>
Inner proximal_point(const LocalProblem& regular, Newton<D>& newton, double alpha, int limit, const Stopwatch& watch,
                     Eigen::VectorXd& impulse) {
  newton.refresh();
  const Eigen::VectorXd centre = impulse;
  Eigen::VectorXd F, dr, trial, trial_F, best, best_F;
  double merit = newton.residual(impulse, F);
  const double first = merit, zero = 1e-14 * regular.free.norm();
  Inner inner;
  int refused = 0;
  while (inner.steps < limit && merit > zero && refused <= refusals && !watch.over()) {
    ++inner.steps;
    if (!newton.step(impulse, F, rounding * merit / std::sqrt(static_cast<double>(regular.contacts())), dr)) break;
    double least = HUGE_VAL;
    for (double t = 1.0; t > 0.02; t *= 0.4) {
      trial = impulse + t * dr;
      const double m = newton.residual(trial, trial_F);
      if (m < least) least = m, best.swap(trial), best_F.swap(trial_F);
      if (least < (1.0 - 0.1 * t) * merit) break;
    }
    if (!std::isfinite(least)) break;
    if (!(least < merit)) ++refused;  // taken all the same: a small step up may lead around a corner
    impulse.swap(best), F.swap(best_F), merit = least;
    if (merit < 1e-3 * std::min(first, alpha * (impulse - centre).norm())) break;
  }
  inner.found = merit <= zero || merit < 0.1 * std::max(first, alpha * (impulse - centre).norm());
  return inner;
}

// How far r may go along d, in units of d and at most `cap`, before a contact that sticks would slide or open. Not exact: halved
// until it fits.
template <int D>
double free_way(const LocalProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& d, double cap) {
  for (int a = 0; a < problem.contacts(); ++a) {
    const Vec<D> from = contact_part<D>(r, a), along = contact_part<D>(d, a);
    const double mu = problem.friction[a];
    const bool sticks = tangent_length(from) < mu * from[0] * (1.0 - 1e-6);
    if (!(from[0] > 0.0)) continue;
    for (;; cap *= 0.5) {
      const Vec<D> to = from + cap * along;
      if (to[0] > 0.0 && (!sticks || tangent_length(to) <= mu * to[0])) break;
      if (cap < 0.5) return 0.0;
    }
  }
  return cap;
}

// Slow modes: the proximal points march at constant pace along a direction in which W is nearly singular, until some contact
// changes its status, which may be thousands of points away. When two moves are parallel, several are made at once; if the next
// point is much worse for it, the march goes back.
template <int D>
class March {
 public:
  explicit March(const LocalProblem& problem) : problem_(problem) {}

  // After a proximal point was found at `impulse`, `error`; may move `impulse`.
  void advance(const Eigen::VectorXd& centre, Eigen::VectorXd& impulse, double error) {
    if (jumped_ > 0.0) {
      if (error > 2.0 * error_before_) {
        impulse = before_;
        stride_ = 1.0, jumped_ = 0.0;
        last_.resize(0);
        return;
      }
      stride_ = std::min(4.0 * stride_, 4096.0);
    }
    jumped_ = 0.0;
    const Eigen::VectorXd move = impulse - centre;
    const bool parallel = last_.size() > 0 && move.dot(last_) > 0.9 * move.norm() * last_.norm();
    last_ = move;
    if (!parallel) return;
    const double way = free_way<D>(problem_, impulse, move, stride_);
    if (way < 0.5) return;
    before_ = impulse, error_before_ = error, jumped_ = way;
    impulse += way * move;
  }
  bool jumping() const { return jumped_ > 0.0; }

 private:
  const LocalProblem& problem_;
  Eigen::VectorXd last_, before_;
  double error_before_ = 0.0, jumped_ = 0.0, stride_ = 1.0;
};

template <int D>
NewtonOutcome iterate(const LocalProblem& problem, const NewtonSettings& settings, const Stopwatch& watch,
                      Eigen::VectorXd& impulse) {
  LocalProblem regular = problem;
  Newton<D> newton(regular);
  const double unit = newton.stiffness();
  double alpha = settings.alpha * unit;
  NewtonOutcome outcome;
  outcome.error = natural_error(problem, impulse, problem.velocity(impulse)).relative;
  Eigen::VectorXd best = impulse, centre;
  March<D> march(problem);
  int caution = 0;  // grows with failures: alpha then shrinks more slowly
  while (outcome.error > settings.tolerance && outcome.steps < settings.max_steps && !watch.over()) {
    regularise(problem, alpha, impulse, regular);
    centre = impulse;
    const Inner inner =
        proximal_point<D>(regular, newton, alpha, std::min(inner_limit, settings.max_steps - outcome.steps), watch, impulse);
    outcome.steps += std::max(inner.steps, 1);
    project_all<D>(problem, impulse);
    const double error = natural_error(problem, impulse, problem.velocity(impulse)).relative;
    if (error < outcome.error) outcome.error = error, best = impulse;
    if (inner.found) {
      march.advance(centre, impulse, error);
      if (!march.jumping()) alpha = std::max(1e-10 * unit, (caution > 0 ? 0.5 : inner.steps <= 10 ? 0.1 : 0.3) * alpha);
      caution = std::max(0, caution - 1);
    } else {
      impulse = alpha >= unit ? best : centre;
      alpha = std::min(unit, 4.0 * alpha);
      caution = std::min(caution + 2, 6);
    }
  }
  impulse = best;
  outcome.alpha = alpha / unit;
  return outcome;
}

}  // namespace

NewtonOutcome newton_steps(const LocalProblem& problem, const NewtonSettings& settings, const Stopwatch& watch,
                           Eigen::VectorXd& impulse) {
  return problem.dimension() == 2 ? iterate<2>(problem, settings, watch, impulse) : iterate<3>(problem, settings, watch, impulse);
}

LocalResult solve_proximal_newton(const LocalProblem& problem, const LocalSettings& settings) {
  const Stopwatch watch(settings.max_time, settings.max_cpu);
  LocalResult result;
  result.solver = "newton";
  result.impulse = settings.start.size() ? settings.start : Eigen::VectorXd::Zero(problem.free.size());
  NewtonSettings newton;
  newton.tolerance = settings.tolerance;
  if (settings.max_iterations > 0) newton.max_steps = settings.max_iterations;
  result.iterations = newton_steps(problem, newton, watch, result.impulse).steps;
  conclude(problem, settings, watch, result);
  return result;
}

}  // namespace moreau::inline solver
