#include "moreau/diagnosis/isolated_solutions.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "moreau/solver/given/local_certificate.hpp"

namespace moreau::diagnosis {
namespace {

constexpr double singular = 1e-10;  // of the largest pivot
constexpr double law_holds = 1e-7;  // of the largest given velocity
constexpr double same = 1e-6;       // of the size of the impulses: nearer solutions are one
constexpr int angles = 16;          // of the grid, each sliding contact of three components
constexpr int newton_steps = 30;

enum Mode { open, stick, slide };

template <int D>
class Enumeration {
 public:
  Enumeration(const LocalProblem& problem, const Stopwatch& watch)
      : problem_(problem),
        watch_(watch),
        W_(column_major(problem.delassus)),
        n_(problem.contacts()),
        mode_(problem.contacts(), open),
        direction_(problem.contacts()) {}

  IsolatedSolutions run() {
    result_.complete = D == 2;
    choose(0);
    result_.searched = !watch_.over();
    result_.complete = result_.complete && result_.searched;
    return result_;
  }

 private:
  using Tangent = Eigen::Matrix<double, D - 1, 1>;

  void choose(int contact) {
    if (watch_.over()) return;
    if (contact == n_) {
      try_modes();
      return;
    }
    for (const Mode mode : {open, stick, slide}) {
      mode_[contact] = mode;
      choose(contact + 1);
    }
  }

  void try_modes() {
    sliding_.clear();
    for (int a = 0; a < n_; ++a)
      if (mode_[a] == slide) sliding_.push_back(a);
    const int k = static_cast<int>(sliding_.size());
    const int choices = D == 2 ? 2 : angles;
    long total = 1;
    for (int i = 0; i < k; ++i) total *= choices;
    for (long number = 0; number < total && !watch_.over(); ++number) {
      Eigen::VectorXd angle(k);
      long rest = number;
      for (int i = 0; i < k; ++i, rest /= choices)
        angle[i] = 2.0 * std::numbers::pi * static_cast<double>(rest % choices) / choices;
      if (D == 3 && k > 0 && !turn(angle)) continue;
      Eigen::VectorXd r;
      if (impulses(angle, r)) offer(r);
    }
  }

  // r of the modes with these directions of sliding; false if they do not determine it.
  bool impulses(const Eigen::VectorXd& angle, Eigen::VectorXd& r) {
    for (std::size_t i = 0; i < sliding_.size(); ++i) {
      direction_[sliding_[i]][0] = D == 2 ? (angle[i] < 1.0 ? 1.0 : -1.0) : std::cos(angle[i]);
      if constexpr (D == 3) direction_[sliding_[i]][1] = std::sin(angle[i]);
    }
    int unknowns = 0;
    for (const Mode m : mode_) unknowns += m == stick ? D : m == slide ? 1 : 0;
    Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(D * n_, unknowns), rows = Eigen::MatrixXd::Zero(unknowns, D * n_);
    for (int a = 0, at = 0; a < n_; ++a) {
      if (mode_[a] == stick)
        for (int k = 0; k < D; ++k, ++at) columns(D * a + k, at) = rows(at, D * a + k) = 1.0;
      if (mode_[a] == slide) {
        columns(D * a, at) = rows(at, D * a) = 1.0;
        columns.block(D * a + 1, at, D - 1, 1) = -problem_.friction[a] * direction_[a];
        ++at;
      }
    }
    r = Eigen::VectorXd::Zero(D * n_);
    if (unknowns == 0) return true;
    const Eigen::MatrixXd system = rows * W_ * columns;
    Eigen::FullPivLU<Eigen::MatrixXd> lu;
    lu.setThreshold(singular);
    lu.compute(system);
    const Eigen::VectorXd right = -(rows * problem_.free);
    if (!lu.isInvertible()) {
      // Undetermined, if anything: solutions of these modes form a family, or there are none.
      const Eigen::VectorXd some = lu.solve(right);
      if ((system * some - right).cwiseAbs().maxCoeff() <= law_holds * given_velocity(problem_)) result_.complete = false;
      return false;
    }
    r = columns * lu.solve(right);
    return r.allFinite();
  }

  // Newton on the angles until every sliding velocity is parallel to its direction.
  bool turn(Eigen::VectorXd& angle) {
    const double enough = 1e-12 * given_velocity(problem_);
    Eigen::VectorXd r, across = Eigen::VectorXd::Zero(angle.size());
    const auto residual = [&](const Eigen::VectorXd& at, Eigen::VectorXd& to) {
      if (!impulses(at, r)) return false;
      const Eigen::VectorXd u = problem_.velocity(r);
      to.resize(at.size());
      for (std::size_t i = 0; i < sliding_.size(); ++i) {
        const int a = sliding_[i];
        to[i] = -std::sin(at[i]) * u[D * a + 1] + std::cos(at[i]) * u[D * a + D - 1];
      }
      return true;
    };
    if (!residual(angle, across)) return false;
    for (int step = 0; step < newton_steps; ++step) {
      if (across.cwiseAbs().maxCoeff() <= enough) return true;
      Eigen::MatrixXd slope(angle.size(), angle.size());
      for (int i = 0; i < angle.size(); ++i) {
        Eigen::VectorXd moved = angle, there;
        moved[i] += 1e-7;
        if (!residual(moved, there)) return false;
        slope.col(i) = (there - across) / 1e-7;
      }
      const Eigen::VectorXd move = slope.fullPivLu().solve(-across);
      if (!move.allFinite()) return false;
      double t = std::min(1.0, 0.5 / std::max(move.cwiseAbs().maxCoeff(), 1e-300));
      const double before = across.norm();
      Eigen::VectorXd there;
      for (; t > 1e-3; t *= 0.5)
        if (residual(angle + t * move, there) && there.norm() < before) break;
      if (t <= 1e-3) return before <= 1e3 * enough;
      angle += t * move, across = there;
    }
    return across.cwiseAbs().maxCoeff() <= 1e3 * enough;
  }

  void offer(const Eigen::VectorXd& r) {
    const Eigen::VectorXd u = problem_.velocity(r);
    const LocalCertificate c = certify(problem_, r, u);
    if (!(c.violation <= law_holds * c.given)) return;
    const double size = r.cwiseAbs().maxCoeff();
    for (const IsolatedSolution& s : result_.all)
      if ((s.impulse - r).cwiseAbs().maxCoeff() <= same * std::max(size, s.impulse.cwiseAbs().maxCoeff())) return;
    std::string modes;
    for (int a = 0; a < n_; ++a) modes += r[D * a] <= same * size ? 'o' : mode_[a] == slide ? 's' : 'k';
    result_.all.push_back({r, u, modes});
  }

  const LocalProblem& problem_;
  const Stopwatch& watch_;
  const Eigen::MatrixXd W_;
  const int n_;
  std::vector<Mode> mode_;
  std::vector<Tangent> direction_;
  std::vector<int> sliding_;
  IsolatedSolutions result_;
};

}  // namespace

IsolatedSolutions isolated_solutions(const LocalProblem& problem, const Stopwatch& watch) {
  const int D = problem.dimension();
  if (problem.contacts() == 0 || problem.contacts() > most_enumerated[D]) return {};
  return D == 2 ? Enumeration<2>(problem, watch).run() : Enumeration<3>(problem, watch).run();
}

}  // namespace moreau::diagnosis
