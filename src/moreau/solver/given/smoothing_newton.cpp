// Smoothing continuation: Newton's method on the law with its corners rounded off by eps (smooth_law.hpp), while eps shrinks.
//
// Two things vanish with eps: the rounding, e_a = eps rho_a |q|_max, and a stiffness added to W, eps times its largest mean
// diagonal. For eps > 0 every contact pushes a little and none is exactly stuck: the equations are smooth and regular even where
// W is not, and as eps -> 0 their solution tends to one inside the set of solutions, away from its borders. Starts from anywhere,
// knows no statuses.
#include "moreau/solver/given/smoothing_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "moreau/law/smooth_law.hpp"
#include "moreau/solver/block_cone.hpp"
#include "moreau/solver/contact_part.hpp"
#include "moreau/solver/given/newton_system.hpp"

namespace moreau::inline solver {
namespace {

template <int D>
class Equations {
 public:
  explicit Equations(const LocalProblem& problem) : problem_(problem), system_(problem, true), rows_(problem.contacts()) {
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

  // The step for another right-hand side with the matrix of the last.
  Eigen::VectorXd again(const Eigen::VectorXd& F) { return system_.solve(rows_, -F); }

 private:
  Eigen::VectorXd shifted(const Eigen::VectorXd& impulse, double eps) const {
    return problem_.velocity(impulse) + eps * system_.stiffness() * impulse;
  }

  const LocalProblem& problem_;
  NewtonSystem<D> system_;
  std::vector<NewtonRow<D>> rows_;
  double scale_ = 1.0;
};

// The path of solutions as eps falls: Newton at one eps after another, each begun from where the last two points lead. Friction
// not being associated, the path may turn back: eps has to rise again for a while. Where Newton jams it is therefore followed by
// its length, in the impulses and in s = ln eps together (Keller's method): from a point, along the tangent, then back onto the
// path at a right angle to it.
template <int D>
class Path {
 public:
  Path(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch)
      : problem_(problem), settings_(settings), watch_(watch), equations_(problem) {}

  // Returns the number of steps; `impulse` becomes the best point met.
  int follow(Eigen::VectorXd& impulse) {
    best_ = impulse;
    error_ = natural_error(problem_, impulse, problem_.velocity(impulse)).relative;
    Point last = descend(impulse);
    if (last.impulse.size() > 0) go_round(last);
    impulse = best_;
    return steps_;
  }

 private:
  struct Point {
    Eigen::VectorXd impulse;
    double s = 0.0;  // ln eps
  };

  static constexpr int most_corrections = 5;

  bool over() const { return (settings_.max_iterations > 0 && steps_ >= settings_.max_iterations) || watch_.over(); }

  double enough(double s) const { return 0.1 * std::exp(s) * equations_.unit(); }

  void examine(const Eigen::VectorXd& impulse) {
    Eigen::VectorXd projected = impulse;
    for (int a = 0; a < problem_.contacts(); ++a)
      set_contact_part<D>(projected, a, onto_cone(contact_part<D>(impulse, a), problem_.friction[a]));
    const double error = natural_error(problem_, projected, problem_.velocity(projected)).relative;
    if (error < error_) error_ = error, best_ = projected;
  }

  // Down the path at falling eps; returns the last point on it, empty if not even the first was found.
  Point descend(Eigen::VectorXd impulse) {
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
    return {solved, solved.size() > 0 ? std::log(solved_eps) : 0.0};
  }

  // Newton with line search at fixed eps; false if it does not come near enough to the path.
  bool newton(Eigen::VectorXd& impulse, Eigen::VectorXd& F, double merit, double eps) {
    Eigen::VectorXd dr, trial, G;
    for (int k = 0; k < 20 && merit > enough(std::log(eps)) && !over(); ++k) {
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
    return merit <= enough(std::log(eps));
  }

  // Along the path by its length, from a point on it.
  void go_round(Point at) {
    double length = 0.1;
    while (error_ > settings_.tolerance && at.s > std::log(1e-16) && !over()) {
      if (!tangent(at)) return;
      Point next;
      int corrections = 0;
      while (!(corrections = corrected(at, length, next)) && !over())
        if ((length *= 0.4) < 1e-4) return;
      if (corrections == 0) return;
      at = next;
      examine(at.impulse);
      if (corrections <= 2) length = std::min(2.0 * length, 3.0);
      if (corrections >= 4) length *= 0.7;
    }
  }

  // dF/ds by a difference.
  Eigen::VectorXd slope(const Eigen::VectorXd& impulse, double s, const Eigen::VectorXd& F) const {
    constexpr double small = 1e-6;
    Eigen::VectorXd G;
    equations_.residual(impulse, std::exp(s + small), G);
    return (G - F) / small;
  }

  // The direction of the path at `at`, onwards; unit length with impulses over their size.
  bool tangent(const Point& at) {
    Eigen::VectorXd F, along;
    equations_.residual(at.impulse, std::exp(at.s), F);
    ++steps_;
    if (!equations_.step(at.impulse, slope(at.impulse, at.s, F), std::exp(at.s), along)) return false;
    scale_ = std::max(at.impulse.norm(), std::numeric_limits<double>::min());
    const double norm = std::hypot(along.norm() / scale_, 1.0);
    const double onwards = direction_.size() == 0 ? -1.0 : direction_.dot(along) / (scale_ * scale_) + rise_;
    const double sign = onwards < 0.0 ? -1.0 : 1.0;
    direction_ = (sign / norm) * along, rise_ = sign / norm;
    return true;
  }

  // The point of the path at `length` from `at`; returns the number of corrections it took, 0 if it was not reached.
  int corrected(const Point& at, double length, Point& next) {
    next = {at.impulse + length * direction_, at.s + length * rise_};
    Eigen::VectorXd F, back, along;
    double merit = equations_.residual(next.impulse, std::exp(next.s), F);
    for (int k = 1; k <= most_corrections && !over(); ++k) {
      ++steps_;
      if (!equations_.step(next.impulse, F, std::exp(next.s), back)) return 0;
      along = equations_.again(slope(next.impulse, next.s, F));
      const double square = scale_ * scale_;
      double ds = -direction_.dot(back) / square / (rise_ + direction_.dot(along) / square);
      if (!std::isfinite(ds)) return 0;
      ds = std::clamp(ds, -1.0, 1.0);
      next.impulse += back + ds * along, next.s += ds;
      const double before = merit;
      merit = equations_.residual(next.impulse, std::exp(next.s), F);
      if (merit <= enough(next.s)) return k;
      if (!(merit < before) && k > 1) return 0;
    }
    return 0;
  }

  const LocalProblem& problem_;
  const LocalSettings& settings_;
  const Stopwatch& watch_;
  Equations<D> equations_;
  int steps_ = 0;
  double error_ = 0.0;
  Eigen::VectorXd best_;
  Eigen::VectorXd direction_;        // of the path, impulses
  double rise_ = 0.0, scale_ = 1.0;  // ds of the same direction; what impulses are divided by
};

}  // namespace

int smoothing_path(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, Eigen::VectorXd& impulse) {
  if (problem.contacts() == 0) return 0;
  return problem.dimension() == 2 ? Path<2>(problem, settings, watch).follow(impulse)
                                  : Path<3>(problem, settings, watch).follow(impulse);
}

LocalResult solve_smoothing_newton(const LocalProblem& problem, const LocalSettings& settings) {
  const Stopwatch watch(settings.max_time, settings.max_cpu);
  LocalResult result;
  result.solver = "smoothing";
  result.impulse = settings.start.size() ? settings.start : Eigen::VectorXd::Zero(problem.free.size());
  result.iterations = smoothing_path(problem, settings, watch, result.impulse);
  conclude(problem, settings, watch, result);
  return result;
}

}  // namespace moreau::inline solver
