// Smoothing continuation: Newton's method on the law with its corners rounded off by eps (smooth_law.hpp), while eps shrinks.
//
// Two things vanish with eps: the rounding, e_a = eps rho_a |q|_max, and a stiffness added to W, eps times its largest mean
// diagonal. For eps > 0 every contact pushes a little and none is exactly stuck: the equations are smooth and regular even where
// W is not, and as eps -> 0 their solution tends to one inside the set of solutions, away from its borders. Starts from anywhere,
// knows no statuses.
#include <algorithm>
#include <cmath>

#include "moreau/solver/contact_part.hpp"
#include "moreau/solver/local_solver.hpp"
#include "moreau/solver/newton_system.hpp"
#include "moreau/solver/smooth_law.hpp"

namespace moreau {
namespace {

template <int D>
class Equations {
 public:
  explicit Equations(const LocalProblem& problem) : problem_(problem), system_(problem), rows_(problem.contacts()) {
    scale_ = std::max(problem.free.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  }

  double unit() const { return scale_ * std::sqrt(static_cast<double>(problem_.contacts())); }  // [velocity] of |F|

  // F = (r - target) / rho [velocity].
  double residual(const Eigen::VectorXd& impulse, double eps, Eigen::VectorXd& F) const {
    const Eigen::VectorXd velocity = shifted(impulse, eps);
    F.resize(impulse.size());
    for (int a = 0; a < problem_.contacts(); ++a) {
      const double rho = system_.rho(a);
      const Vec<D> r = contact_part<D>(impulse, a);
      const Smooth<D> law(r - rho * contact_part<D>(velocity, a), problem_.friction[a], eps * rho * scale_);
      set_contact_part<D>(F, a, (1.0 / rho) * (r - law.target));
    }
    return F.norm();
  }

  bool step(const Eigen::VectorXd& impulse, const Eigen::VectorXd& F, double eps, Eigen::VectorXd& dr) {
    const Eigen::VectorXd velocity = shifted(impulse, eps);
    const double alpha = eps * system_.stiffness();
    for (int a = 0; a < problem_.contacts(); ++a) {
      const double rho = system_.rho(a);
      const Smooth<D> law(contact_part<D>(impulse, a) - rho * contact_part<D>(velocity, a), problem_.friction[a],
                          eps * rho * scale_);
      NewtonRow<D>& row = rows_[a];
      law.equations(rho, row.A, row.B);
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) row.A[i][j] += alpha * row.B[i][j];
    }
    if (!system_.factorise(rows_)) return false;
    dr = system_.solve(rows_, -F);
    return dr.allFinite();
  }

 private:
  Eigen::VectorXd shifted(const Eigen::VectorXd& impulse, double eps) const {
    return problem_.velocity(impulse) + eps * system_.stiffness() * impulse;
  }

  const LocalProblem& problem_;
  NewtonSystem<D> system_;
  std::vector<NewtonRow<D>> rows_;
  double scale_ = 1.0;
};

template <int D>
class Path {
 public:
  Path(const LocalProblem& problem, const LocalSettings& settings)
      : problem_(problem), settings_(settings), equations_(problem) {}

  // Returns the number of steps; `impulse` becomes the best point met.
  int follow(Eigen::VectorXd& impulse) {
    best_ = impulse;
    error_ = natural_error(problem_, impulse, problem_.velocity(impulse)).relative;
    double eps = 1.0, shrink = 0.2;
    Eigen::VectorXd solved, previous, trial, F, G;  // the last two points of the path
    double solved_eps = 0.0, previous_eps = 0.0;
    while (error_ > settings_.tolerance && eps > 1e-16 && !over()) {
      double merit = equations_.residual(impulse, eps, F);
      if (previous.size() > 0) {  // go on as from the last point but one to the last
        trial = solved + (eps - solved_eps) / (solved_eps - previous_eps) * (solved - previous);
        const double m = equations_.residual(trial, eps, G);
        if (m < merit) impulse = trial, F = G, merit = m;
      }
      const int before = steps_;
      const bool reached = newton(impulse, F, merit, eps);
      examine(impulse);
      if (reached) {
        previous = solved, previous_eps = solved_eps;
        solved = impulse, solved_eps = eps;
        if (steps_ - before <= 4) shrink = std::max(0.05, std::pow(shrink, 1.5));
        if (steps_ - before > 8) shrink = std::sqrt(shrink);
      } else if (solved.size() == 0) {  // not even the first point: begin rounder
        if (eps > 1e6) break;
        eps *= 10.0;
        continue;
      } else {  // a shorter way along the path
        shrink = std::sqrt(shrink);
        if (shrink > 0.97) break;
        impulse = solved;
      }
      eps = shrink * solved_eps;
    }
    impulse = best_;
    return steps_;
  }

 private:
  bool over() const {
    return (settings_.max_iterations > 0 && steps_ >= settings_.max_iterations) || watch_.seconds() > settings_.max_time;
  }

  void examine(const Eigen::VectorXd& impulse) {
    Eigen::VectorXd projected = impulse;
    for (int a = 0; a < problem_.contacts(); ++a)
      set_contact_part<D>(projected, a, project_on_cone(contact_part<D>(impulse, a), problem_.friction[a]));
    const double error = natural_error(problem_, projected, problem_.velocity(projected)).relative;
    if (error < error_) error_ = error, best_ = projected;
  }

  // Newton with line search at fixed eps; false if it does not come near enough to the path.
  bool newton(Eigen::VectorXd& impulse, Eigen::VectorXd& F, double merit, double eps) {
    Eigen::VectorXd dr, trial, G;
    const double enough = 0.1 * eps * equations_.unit();
    for (int k = 0; k < 20 && merit > enough && !over(); ++k) {
      ++steps_;
      if (!equations_.step(impulse, F, eps, dr)) return false;
      for (double t = 1.0;; t *= 0.5) {
        if (t < 0.01) return false;
        trial = impulse + t * dr;
        const double m = equations_.residual(trial, eps, G);
        if (!(m < (1.0 - 1e-3 * t) * merit)) continue;
        impulse.swap(trial), F.swap(G), merit = m;
        break;
      }
    }
    return merit <= enough;
  }

  const LocalProblem& problem_;
  const LocalSettings& settings_;
  Stopwatch watch_;
  Equations<D> equations_;
  int steps_ = 0;
  double error_ = 0.0;
  Eigen::VectorXd best_;
};

}  // namespace

LocalResult solve_smoothing_newton(const LocalProblem& problem, const LocalSettings& settings) {
  const Stopwatch watch;
  LocalResult result;
  result.solver = "smoothing";
  result.impulse = settings.start.size() ? settings.start : Eigen::VectorXd::Zero(problem.free.size());
  if (problem.contacts() > 0)
    result.iterations = problem.dimension() == 2 ? Path<2>(problem, settings).follow(result.impulse)
                                                 : Path<3>(problem, settings).follow(result.impulse);
  conclude(problem, settings, watch, result);
  return result;
}

}  // namespace moreau
