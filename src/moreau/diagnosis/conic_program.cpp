#include "moreau/diagnosis/conic_program.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace moreau::diagnosis {
namespace {

constexpr int most_steps = 200;
constexpr double wanted = 1e-10, accepted = 1e-7;  // relative residuals: aimed at; enough where no more digits are to be had
constexpr int dense_rows = 900;                    // up to so many, dependent rows are taken out first

using Vector = Eigen::VectorXd;

// Rows that depend on others are dropped, `kept` are the others; false if their right-hand side contradicts, with the combination
// of rows that does.
bool independent_rows(ConicProblem& p, std::vector<int>& kept, Vector& contradiction) {
  kept.resize(static_cast<std::size_t>(p.A.rows()));
  std::iota(kept.begin(), kept.end(), 0);
  if (p.A.rows() == 0 || p.A.rows() > dense_rows) return true;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(1e-10);
  qr.compute(Eigen::MatrixXd(p.A.transpose()));
  const int rank = static_cast<int>(qr.rank()), rows = static_cast<int>(p.A.rows());
  if (rank == rows) return true;
  const auto order = qr.colsPermutation().indices();
  // A^T P = Q R: a dependent row is R11^-1 R12 of the independent ones.
  const Eigen::MatrixXd R = qr.matrixR().topRows(rank).template triangularView<Eigen::Upper>();
  Vector first(rank), rest(rows - rank);
  for (int k = 0; k < rank; ++k) first[k] = p.b[order[k]];
  for (int k = rank; k < rows; ++k) rest[k - rank] = p.b[order[k]];
  const Eigen::MatrixXd mix = R.leftCols(rank).template triangularView<Eigen::Upper>().solve(R.rightCols(rows - rank));
  const double size = std::max(p.b.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  const Vector against = rest - mix.transpose() * first;
  if (Eigen::Index worst = 0; against.cwiseAbs().maxCoeff(&worst) > 1e-6 * size) {
    contradiction = Vector::Zero(rows);
    for (int k = 0; k < rank; ++k) contradiction[order[k]] = -mix(k, worst);
    contradiction[order[rank + static_cast<int>(worst)]] = 1.0;
    contradiction /= against[worst];
    return false;
  }
  kept.assign(order.data(), order.data() + rank);
  std::vector<int> place(rows, -1);
  for (int k = 0; k < rank; ++k) place[order[k]] = k;
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < p.A.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(p.A, j); e; ++e)
      if (place[e.row()] >= 0) entries.emplace_back(place[e.row()], j, e.value());
  p.A.resize(rank, p.A.cols());
  p.A.setFromTriplets(entries.begin(), entries.end());
  p.b = first;
  return true;
}

// One cone at a pair of interior points: W z = W^-1 x = l. W^2 = s^2 (2 w w^T - J).
class Scaling {
 public:
  Scaling(const Vector& x, const Vector& z, int first, int size) : first_(first), size_(size) {
    if (size == 1) {
      s_ = std::sqrt(x[first] / z[first]);
      return;
    }
    const double nx = hyperbolic(x, first, size), nz = hyperbolic(z, first, size);
    Vector a = x.segment(first, size) / nx, b = z.segment(first, size) / nz;
    const double gamma = std::sqrt(0.5 * (1.0 + a.dot(b)));
    b.tail(size - 1) *= -1.0;
    w_ = (a + b) / (2.0 * gamma);
    s_ = std::sqrt(nx / nz);
  }

  // sqrt(x_0^2 - |x_1|^2), never 0.
  static double hyperbolic(const Vector& x, int first, int size) {
    const double length = x.segment(first + 1, size - 1).norm();
    return std::sqrt(std::max((x[first] - length) * (x[first] + length), 1e-300));
  }

  void apply(const Vector& v, Vector& to) const { multiply(v, to, s_, 1.0); }
  void apply_inverse(const Vector& v, Vector& to) const { multiply(v, to, 1.0 / s_, -1.0); }
  void square(Eigen::MatrixXd& to) const {
    to.resize(size_, size_);
    if (size_ == 1) {
      to(0, 0) = s_ * s_;
      return;
    }
    to = 2.0 * w_ * w_.transpose();
    to(0, 0) -= 1.0;
    for (int k = 1; k < size_; ++k) to(k, k) += 1.0;
    to *= s_ * s_;
  }

 private:
  void multiply(const Vector& v, Vector& to, double scale, double sign) const {
    if (size_ == 1) {
      to[first_] = scale * v[first_];
      return;
    }
    const auto w1 = w_.tail(size_ - 1);
    const Vector v1 = v.segment(first_ + 1, size_ - 1);
    const double v0 = v[first_], along = w1.dot(v1);
    to[first_] = scale * (w_[0] * v0 + sign * along);
    to.segment(first_ + 1, size_ - 1) = scale * (v1 + (sign * v0 + along / (1.0 + w_[0])) * w1);
  }

  int first_, size_;
  double s_ = 1.0;
  Vector w_;
};

class InteriorPoints {
 public:
  InteriorPoints(const ConicProblem& p, const Stopwatch& watch) : p_(p), watch_(watch), n_(static_cast<int>(p.c.size())) {
    for (int at = 0; const int size : p.cones) first_.push_back(at), at += size;
    x_ = z_ = Vector::Zero(n_);
    for (const int at : first_) x_[at] = z_[at] = 1.0;
    y_ = Vector::Zero(p.b.size());
    b_ = 1.0 + norm_of(p.b), c_ = 1.0 + norm_of(p.c);
  }

  ConicOptimum run() {
    ConicOptimum best;
    double least = HUGE_VAL;
    for (int k = 0; k < most_steps && !watch_.over(); ++k) {
      const auto [now, residual] = judge();
      if (residual < least) least = residual, best = now;
      if (least <= wanted || !step()) break;
    }
    const auto [now, residual] = judge();
    if (residual < least) least = residual, best = now;
    if (!(least <= accepted)) best.found = Found::failed;
    return best;
  }

 private:
  static double norm_of(const Vector& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0; }

  // What the present point shows, and to which relative residual.
  std::pair<ConicOptimum, double> judge() const {
    const Vector Ax = p_.A * x_, Ay = p_.A.transpose() * y_;
    const double cx = p_.c.dot(x_), by = p_.b.dot(y_);
    ConicOptimum o{Found::optimum, cx / tau_, by / tau_, x_ / tau_, y_ / tau_};
    double residual = std::max({norm_of(Ax / tau_ - p_.b) / (b_ + norm_of(x_ / tau_)),
                                norm_of((Ay + z_) / tau_ - p_.c) / (c_ + norm_of(y_ / tau_)),
                                std::abs(cx - by) / tau_ / (1.0 + std::abs(cx / tau_) + std::abs(by / tau_))});
    if (by > 0.0)
      if (const double none = norm_of(Ay + z_) / by * b_; none < residual && tau_ < 1e-3 * kappa_)
        residual = none, o = {Found::nothing, 0.0, 0.0, {}, y_ / by};
    if (cx < 0.0)
      if (const double falls = norm_of(Ax) / -cx * c_; falls < residual && tau_ < 1e-3 * kappa_)
        residual = falls, o = {Found::unbounded, 0.0, 0.0, x_ / -cx, {}};
    return {o, std::isfinite(residual) ? residual : HUGE_VAL};
  }

  // A W^2 A^T, a little added to its diagonal: rows may depend on one another.
  bool factorise() {
    Eigen::MatrixXd block;
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t k = 0; k < first_.size(); ++k) {
      scaling_[k].square(block);
      for (int i = 0; i < block.rows(); ++i)
        for (int j = 0; j < block.cols(); ++j) entries.emplace_back(first_[k] + i, first_[k] + j, block(i, j));
    }
    square_.resize(n_, n_);
    square_.setFromTriplets(entries.begin(), entries.end());
    if (p_.b.size() == 0) return true;
    normal_ = p_.A * square_ * Eigen::SparseMatrix<double>(p_.A.transpose());
    const double most = normal_.diagonal().cwiseAbs().maxCoeff();
    if (!(most > 0.0) || !std::isfinite(most)) return false;
    Eigen::SparseMatrix<double> added(normal_.rows(), normal_.cols());
    added.setIdentity();
    added.diagonal() = 1e-14 * normal_.diagonal() + Vector::Constant(normal_.rows(), 1e-16 * most);
    const Eigen::SparseMatrix<double> all = normal_ + added;
    if (!analysed_) ldlt_.analyzePattern(all), analysed_ = true;
    ldlt_.factorize(all);
    return ldlt_.info() == Eigen::Success;
  }

  Vector solve(const Vector& right) const {
    if (right.size() == 0) return right;
    Vector y = ldlt_.solve(right), left = right - normal_ * y;
    for (int k = 0; k < 4; ++k) {  // refinement, as long as it helps
      const Vector next = y + ldlt_.solve(left), after = right - normal_ * next;
      if (!(after.norm() < 0.5 * left.norm())) break;
      y = next, left = after;
    }
    return y;
  }

  Vector scaled(const Vector& v, bool inverse) const {
    Vector to(n_);
    for (const Scaling& s : scaling_) inverse ? s.apply_inverse(v, to) : s.apply(v, to);
    return to;
  }

  // a o b and l \ a of Jordan's algebra.
  Vector product(const Vector& a, const Vector& b) const {
    Vector to(n_);
    for (std::size_t k = 0; k < first_.size(); ++k) {
      const int at = first_[k], rest = p_.cones[k] - 1;
      to[at] = a.segment(at, rest + 1).dot(b.segment(at, rest + 1));
      if (rest > 0) to.segment(at + 1, rest) = a[at] * b.segment(at + 1, rest) + b[at] * a.segment(at + 1, rest);
    }
    return to;
  }
  Vector quotient(const Vector& l, const Vector& a) const {
    Vector to(n_);
    for (std::size_t k = 0; k < first_.size(); ++k) {
      const int at = first_[k], rest = p_.cones[k] - 1;
      if (rest == 0) {
        to[at] = a[at] / l[at];
        continue;
      }
      const auto l1 = l.segment(at + 1, rest), a1 = a.segment(at + 1, rest);
      const double determinant = std::pow(Scaling::hyperbolic(l, at, rest + 1), 2);
      to[at] = (l[at] * a[at] - l1.dot(a1)) / determinant;
      to.segment(at + 1, rest) = (a1 - to[at] * l1) / l[at];
    }
    return to;
  }

  // The longest step t <= 1 for which l + t d stays in the cones.
  double longest(const Vector& l, const Vector& d) const {
    double t = 1.0;
    for (std::size_t k = 0; k < first_.size(); ++k) {
      const int at = first_[k], rest = p_.cones[k] - 1;
      if (rest == 0) {
        if (d[at] < 0.0) t = std::min(t, -l[at] / d[at]);
        continue;
      }
      // In the frame where l is (1, 0): the least eigenvalue of the scaled d.
      const double h = Scaling::hyperbolic(l, at, rest + 1);
      const Vector u = l.segment(at, rest + 1) / h, v = d.segment(at, rest + 1) / h;
      const double v0 = u[0] * v[0] - u.tail(rest).dot(v.tail(rest));
      const Vector v1 = v.tail(rest) - ((v0 + v[0]) / (1.0 + u[0])) * u.tail(rest);
      const double least = v0 - v1.norm();
      if (least < 0.0) t = std::min(t, -1.0 / least);
    }
    return t;
  }

  struct Direction {
    Vector x, y, z;
    double tau = 0.0, kappa = 0.0;
  };

  // `h`: l \ (aim of the complementarity); `k`: aim of tau kappa; `part` of the residuals is to vanish.
  Direction direction(double part, const Vector& h, double k) const {
    const Vector rp = part * (tau_ * p_.b - p_.A * x_), rd = part * (tau_ * p_.c - p_.A.transpose() * y_ - z_);
    const double rg = part * (kappa_ + p_.c.dot(x_) - p_.b.dot(y_));
    const Vector Wh = scaled(h, false);
    const Vector g = solve(rp + p_.A * (square_ * rd - Wh));
    const Vector v = square_ * (p_.A.transpose() * g - rd) + Wh;
    Direction d;
    d.tau = (rg + p_.c.dot(v) - p_.b.dot(g) + k / tau_) / (p_.b.dot(constant_y_) - p_.c.dot(constant_x_) + kappa_ / tau_);
    d.y = g + d.tau * constant_y_;
    d.x = v + d.tau * constant_x_;
    d.z = rd + d.tau * p_.c - p_.A.transpose() * d.y;
    d.kappa = (k - kappa_ * d.tau) / tau_;
    return d;
  }

  double longest(const Direction& d) const {
    double t = std::min(longest(l_, scaled(d.x, true)), longest(l_, scaled(d.z, false)));
    if (d.tau < 0.0) t = std::min(t, -tau_ / d.tau);
    if (d.kappa < 0.0) t = std::min(t, -kappa_ / d.kappa);
    return t;
  }

  bool step() {
    scaling_.clear();
    for (std::size_t k = 0; k < first_.size(); ++k) scaling_.emplace_back(x_, z_, first_[k], p_.cones[k]);
    if (!factorise()) return false;
    l_ = scaled(z_, false);
    constant_y_ = solve(p_.b + p_.A * (square_ * p_.c));
    constant_x_ = square_ * (p_.A.transpose() * constant_y_ - p_.c);
    const double mu = (x_.dot(z_) + tau_ * kappa_) / (static_cast<double>(first_.size()) + 1.0);
    const Vector ll = product(l_, l_);
    const Direction straight = direction(1.0, quotient(l_, -ll), -tau_ * kappa_);
    const double far = longest(straight), sigma = std::pow(1.0 - far, 3);
    Vector aim = -ll - product(scaled(straight.x, true), scaled(straight.z, false));
    for (const int at : first_) aim[at] += sigma * mu;
    const Direction d = direction(1.0 - sigma, quotient(l_, aim), sigma * mu - tau_ * kappa_ - straight.tau * straight.kappa);
    const double t = std::min(1.0, 0.99 * longest(d));
    if (!(t > 1e-10) || !d.x.allFinite() || !d.y.allFinite() || !d.z.allFinite() || !std::isfinite(d.tau + d.kappa)) return false;
    x_ += t * d.x, y_ += t * d.y, z_ += t * d.z, tau_ += t * d.tau, kappa_ += t * d.kappa;
    return true;
  }

  const ConicProblem& p_;
  const Stopwatch& watch_;
  const int n_;
  std::vector<int> first_;
  double b_ = 1.0, c_ = 1.0, tau_ = 1.0, kappa_ = 1.0;
  Vector x_, y_, z_, l_, constant_x_, constant_y_;
  std::vector<Scaling> scaling_;
  Eigen::SparseMatrix<double> square_, normal_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt_;
  bool analysed_ = false;
};

}  // namespace

ConicOptimum solve_conic(const ConicProblem& problem, const Stopwatch& watch) {
  ConicProblem p = problem;
  if (p.cones.empty()) {
    ConicOptimum o;
    o.found = p.b.size() == 0 || p.b.isZero(0.0) ? Found::optimum : Found::nothing;
    return o;
  }
  std::vector<int> kept;
  Vector contradiction;
  if (!independent_rows(p, kept, contradiction)) return {Found::nothing, 0.0, 0.0, {}, contradiction};
  ConicOptimum best = InteriorPoints(p, watch).run();
  if (best.y.size() > 0) {
    const Vector y = best.y;
    best.y = Vector::Zero(problem.A.rows());
    for (std::size_t k = 0; k < kept.size(); ++k) best.y[kept[k]] = y[static_cast<Eigen::Index>(k)];
  }
  return best;
}

}  // namespace moreau::diagnosis
