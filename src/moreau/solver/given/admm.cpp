// Alternating direction method of multipliers: the linear part and the cone are solved in turn,
//
//   r = (W + rho)^-1 (rho (z - y) - q - mu |u_T| n),     z = P_K(x + y),     y <- y + x - z,     x = w r + (1 - w) z_old
//
// with over-relaxation w. The shift mu |u_T| n is taken from the multiplier, since -rho y tends to u + mu |u_T| n (Acary and
// Cadoux's fixed point, one step at a time); taken from W z + q instead, it oscillates. One sparse Cholesky factorisation serves
// all iterations with the same rho; rho follows the ratio of the two residuals |r - z| and rho |z - z_old|, each over its own
// scale, at growing intervals, since each change costs a factorisation.
#include "moreau/solver/given/admm.hpp"

#include <Eigen/Cholesky>
#include <Eigen/CholmodSupport>
#include <algorithm>
#include <cmath>

#include "moreau/solver/block_cone.hpp"
#include "moreau/solver/contact_part.hpp"
#include "moreau/solver/given/blas_threads.hpp"

namespace moreau::inline solver {
namespace {

constexpr double over_relaxation = 1.6;
constexpr int trial = 200;

// (S + rho)^-1, S = (W + W^T) / 2. The unsymmetric part of W, small, is left to the right-hand side with the last z: Cholesky
// serves all problems. Where the bodies are known, (H^T M^-1 H + rho)^-1 = (1 - H^T (rho M + H H^T)^-1 H) / rho.
class ShiftedSolve {
 public:
  explicit ShiftedSolve(const LocalProblem& problem) {
    one_blas_thread();
    if (problem.bodies && problem.bodies->symmetric() && problem.shift == 0.0) {
      bodies_ = problem.bodies.get();
      const int D = problem.dimension();
      unit_.assign(static_cast<std::size_t>(problem.contacts()) * D * D, 0.0);
      for (int a = 0; a < problem.contacts(); ++a)
        for (int k = 0; k < D; ++k) unit_[static_cast<std::size_t>(a) * D * D + (D + 1) * k] = 1.0;
      return;
    }
    skew_ = column_major(problem.delassus);
    identity_.resize(skew_.rows(), skew_.cols());
    identity_.setIdentity();
    const Eigen::SparseMatrix<double> transposed = skew_.transpose();
    symmetric_ = 0.5 * (skew_ + transposed);
    skew_ = 0.5 * (skew_ - transposed);
    unsymmetric_ = skew_.norm() > 1e-14 * symmetric_.norm();
  }

  bool factorise(double rho) {
    rho_ = rho;
    Eigen::SparseMatrix<double> shifted;
    if (bodies_)
      shifted = bodies_->assemble(rho, unit_);
    else
      shifted = symmetric_ + rho * identity_;
    if (!analysed_) cholesky_.analyzePattern(shifted);
    analysed_ = true;
    cholesky_.factorize(shifted);
    return cholesky_.info() == Eigen::Success;
  }

  Eigen::VectorXd solve(const Eigen::VectorXd& right, const Eigen::VectorXd& z) {
    if (bodies_) {
      const Eigen::SparseMatrix<double>& H = bodies_->contacts();
      const Eigen::VectorXd v = cholesky_.solve(Eigen::VectorXd(H * right));
      return (right - H.transpose() * v) / rho_;
    }
    if (!unsymmetric_) return cholesky_.solve(right);
    return cholesky_.solve(right - skew_ * z);
  }

 private:
  const BodyForm* bodies_ = nullptr;
  std::vector<double> unit_;  // identity for every contact
  double rho_ = 1.0;
  Eigen::SparseMatrix<double> symmetric_, skew_, identity_;
  bool unsymmetric_ = false, analysed_ = false;
  Eigen::CholmodDecomposition<Eigen::SparseMatrix<double>> cholesky_;
};

double mean_diagonal(const LocalProblem& problem) {
  const BlockMatrix& W = problem.delassus;
  double trace = 0.0;
  for (const int place : W.diagonal)
    for (int i = 0; i < W.dimension; ++i) trace += W.block(place)[(W.dimension + 1) * i];
  return std::max(trace / static_cast<double>(W.size()), std::numeric_limits<double>::min());
}

// q + mu |u_T| n
template <int D>
Eigen::VectorXd shifted_free(const LocalProblem& problem, const Eigen::VectorXd& velocity) {
  Eigen::VectorXd shifted = problem.free;
  for (int a = 0; a < problem.contacts(); ++a)
    shifted[D * a] += problem.friction[a] * tangent_length(contact_part<D>(velocity, a));
  return shifted;
}

template <int D>
void project(const LocalProblem& problem, const Eigen::VectorXd& from, Eigen::VectorXd& to) {
  for (int a = 0; a < problem.contacts(); ++a)
    set_contact_part<D>(to, a, onto_cone(contact_part<D>(from, a), problem.friction[a]));
}

// Anderson's acceleration of the map v -> g(v): from the last steps f = g(v) - v the combination with the smallest |f| is taken.
// It needs tens of iterations instead of thousands where contacts keep their status. A proposal that makes |f| much larger is
// taken back and the memory cleared.
class Anderson {
 public:
  // v, and g(v) computed from it. Returns the next v.
  Eigen::VectorXd next(const Eigen::VectorXd& v, const Eigen::VectorXd& g) {
    const Eigen::VectorXd f = g - v;
    const double size = f.norm();
    if (proposed_ && !(size <= growth * size_before_)) {
      clear();
      return fallback_;
    }
    if (last_v_.size() > 0) {
      if (static_cast<int>(dv_.size()) == memory) dv_.erase(dv_.begin()), df_.erase(df_.begin());
      dv_.push_back(v - last_v_), df_.push_back(f - last_f_);
    }
    last_v_ = v, last_f_ = f, fallback_ = g, size_before_ = size, proposed_ = false;
    const int m = static_cast<int>(df_.size());
    if (m < 2) return g;
    Eigen::MatrixXd gram(m, m);
    Eigen::VectorXd right(m);
    for (int i = 0; i < m; ++i) {
      right[i] = df_[i].dot(f);
      for (int j = 0; j <= i; ++j) gram(i, j) = gram(j, i) = df_[i].dot(df_[j]);
    }
    gram.diagonal().array() += 1e-12 * gram.trace();
    const Eigen::VectorXd gamma = gram.ldlt().solve(right);
    if (!gamma.allFinite()) return g;
    Eigen::VectorXd accelerated = g;
    for (int i = 0; i < m; ++i) accelerated -= gamma[i] * (dv_[i] + df_[i]);
    proposed_ = true;
    return accelerated;
  }

  void clear() { dv_.clear(), df_.clear(), last_v_.resize(0), proposed_ = false; }

 private:
  static constexpr int memory = 10;
  static constexpr double growth = 2.0;
  std::vector<Eigen::VectorXd> dv_, df_;
  Eigen::VectorXd last_v_, last_f_, fallback_;
  double size_before_ = 0.0;
  bool proposed_ = false;
};

// Slow modes: in a direction where W is nearly singular the impulses drift at constant pace, thousands of iterations long, until
// some contact changes its status; |f| does not fall on the way, and Anderson's rule would never go it. Every `interval`
// iterations the last two drifts are compared; while they are parallel, many are made at once. A leap after which the error stays
// higher is taken back.
class Leaps {
 public:
  // z, the impulses of v, after so many iterations, and their error; may change v.
  void consider(int iterations, double error, const Eigen::VectorXd& z, Eigen::VectorXd& v) {
    if (iterations < next_) return;
    next_ = iterations + interval;
    if (leapt_) {
      leapt_ = false;
      if (error > 1.5 * error_before_) {
        v = v_before_;
        stride_ = std::max(1.0, 0.125 * stride_);
        clear();
        return;
      }
      stride_ = std::min(4.0 * stride_, 1024.0);
    }
    Eigen::VectorXd drift;
    if (mark_.size() > 0) drift = z - mark_;
    mark_ = z;
    if (drift.size() > 0 && drift_.size() > 0 && drift.dot(drift_) > 0.95 * drift.norm() * drift_.norm()) {
      v_before_ = v, error_before_ = error, leapt_ = true;
      v += stride_ * drift, mark_ += stride_ * drift;
    }
    drift_ = drift;
  }

  void clear() { mark_.resize(0), drift_.resize(0), leapt_ = false; }

 private:
  static constexpr int interval = 100;
  Eigen::VectorXd mark_, drift_, v_before_;
  double error_before_ = 0.0, stride_ = 1.0;
  bool leapt_ = false;
  int next_ = 0;
};

}  // namespace

struct Admm::State {
  const LocalProblem& problem;
  ShiftedSolve solver;
  double rho;
  Eigen::VectorXd v, best;  // v = x + y, all that is carried from one turn to the next: z = P_K(v), y = v - z
  double least = HUGE_VAL;
  int iterations = 0, next_change = 10;
  Anderson anderson;
  Leaps leaps;
  bool accelerated = true;                     // by Anderson's rule; else by leaps
  double mark = HUGE_VAL;                      // least error when progress was last judged
  int judgement = trial, plain_turns = trial;  // when it will be judged again; how long leaps will have their turn

  // Anderson's rule has the word as long as `trial` iterations halve the error; then leaps, for longer each time.
  void judge() {
    if (iterations < judgement) return;
    accelerated = !accelerated || least < 0.5 * mark;
    if (!accelerated) plain_turns *= 2;
    judgement = iterations + (accelerated ? trial : plain_turns);
    mark = least;
    anderson.clear(), leaps.clear();
  }

  explicit State(const LocalProblem& p) : problem(p), solver(p), rho(0.1 * mean_diagonal(p)) {}

  // One turn; returns the two residuals in `primal`, `dual` [no unit].
  template <int D>
  void turn(double& primal, double& dual) {
    Eigen::VectorXd z(v.size());
    project<D>(problem, v, z);
    const Eigen::VectorXd y = v - z, velocity = problem.velocity(z);
    const double error = natural_error(problem, z, velocity).relative;
    if (error < least) least = error, best = z;
    const Eigen::VectorXd r = solver.solve(rho * (z - y) - shifted_free<D>(problem, rho * y), z);
    primal = (r - z).norm() / std::max({r.norm(), z.norm(), 1e-300});
    const Eigen::VectorXd next = v + over_relaxation * (r - z);
    if (accelerated) {
      v = anderson.next(v, next);
    } else {
      v = next;
      leaps.consider(iterations, error, z, v);
    }
    dual = rho * (z - z_old).norm() / std::max({(velocity - problem.free).norm(), problem.free.norm(), 1e-300});
    z_old = z;
    ++iterations;
    judge();
  }

  template <int D>
  bool adapt(double primal, double dual) {
    next_change = iterations + std::max(10, iterations / 2);
    if (primal <= 10.0 * dual && dual <= 10.0 * primal) return true;
    const double factor = primal > dual ? 3.0 : 1.0 / 3.0;
    Eigen::VectorXd z(v.size());
    project<D>(problem, v, z);
    rho *= factor, v = z + (v - z) / factor;
    anderson.clear(), leaps.clear();
    return solver.factorise(rho);
  }
  Eigen::VectorXd z_old;
};

Admm::Admm(const LocalProblem& problem) : state_(std::make_unique<State>(problem)) {}
Admm::~Admm() = default;
int Admm::iterations() const { return state_->iterations; }
double Admm::error() const { return state_->least; }
const Eigen::VectorXd& Admm::best() const { return state_->best; }
const Eigen::VectorXd& Admm::last() const { return state_->z_old; }

void Admm::start(const Eigen::VectorXd& impulse) {
  State& s = *state_;
  s.best = s.z_old = impulse;
  s.anderson.clear();
  const Eigen::VectorXd velocity = s.problem.velocity(impulse);
  s.least = natural_error(s.problem, impulse, velocity).relative;
  const Eigen::VectorXd shift =
      (s.problem.dimension() == 2 ? shifted_free<2>(s.problem, velocity) : shifted_free<3>(s.problem, velocity)) - s.problem.free;
  s.v = impulse;
  if (!impulse.isZero(0.0)) s.v -= (1.0 / s.rho) * (velocity + shift);  // from zero nothing is known yet
}

bool Admm::run(int iterations, double tolerance, const Stopwatch& watch) {
  State& s = *state_;
  if (s.iterations == 0 && !s.solver.factorise(s.rho)) return false;
  for (int k = 0; k < iterations && s.least > tolerance && !watch.over(); ++k) {
    double primal = 0.0, dual = 0.0;
    if (s.problem.dimension() == 2)
      s.turn<2>(primal, dual);
    else
      s.turn<3>(primal, dual);
    if (s.iterations < s.next_change) continue;
    if (!(s.problem.dimension() == 2 ? s.adapt<2>(primal, dual) : s.adapt<3>(primal, dual))) break;
  }
  return s.least <= tolerance;
}

LocalResult solve_admm(const LocalProblem& problem, const LocalSettings& settings) {
  const Stopwatch watch(settings.max_time, settings.max_cpu);
  LocalResult result;
  result.solver = "admm";
  result.impulse = settings.start.size() ? settings.start : Eigen::VectorXd::Zero(problem.free.size());
  if (problem.contacts() > 0) {
    Admm admm(problem);
    admm.start(result.impulse);
    admm.run(settings.max_iterations > 0 ? settings.max_iterations : 10'000'000, settings.tolerance, watch);
    result.impulse = admm.best();
    result.iterations = admm.iterations();
  }
  conclude(problem, settings, watch, result);
  return result;
}

}  // namespace moreau::inline solver
