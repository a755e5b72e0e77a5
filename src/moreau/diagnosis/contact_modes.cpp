#include "moreau/diagnosis/contact_modes.hpp"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <cmath>

#include "moreau/diagnosis/clock_watcher.hpp"

namespace moreau::diagnosis {
namespace {

const double inf = COIN_DBL_MAX;
constexpr double law_holds = 1e-7;  // of the scale: a contact violating its law less than this counts as obeying it

enum Mode { open, stick, slip_forward, slip_backward, undecided };  // forward: u_T >= 0

// Columns r. Rows per contact: W r at N and T, then mu r_N + r_T and mu r_N - r_T. Every mode is a set of bounds.
class Search {
 public:
  Search(const LocalProblem& problem, int limit, const Stopwatch& watch)
      : problem_(problem), watch_(watch), limit_(limit), n_(problem.contacts()) {
    const Eigen::SparseMatrix<double> W = column_major(problem.delassus);
    double largest = 0.0;
    for (int j = 0; j < W.cols(); ++j) largest = std::max(largest, W.coeff(j, j));
    velocity_ = std::max(problem.free.cwiseAbs().maxCoeff(), 1e-300);
    mass_ = largest > 0.0 ? 1.0 / largest : 1.0;
    std::vector<int> rows, columns;
    std::vector<double> values;
    const auto put = [&](int row, int column, double v) { rows.push_back(row), columns.push_back(column), values.push_back(v); };
    for (int j = 0; j < W.cols(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator e(W, j); e; ++e)
        if (std::abs(e.value()) > 1e-14 * largest)
          put(4 * (static_cast<int>(e.row()) / 2) + static_cast<int>(e.row()) % 2, j, e.value() * mass_);
    for (int a = 0; a < n_; ++a)
      for (int side = 0; side < 2; ++side) {
        if (problem.friction[a] != 0.0) put(4 * a + 2 + side, 2 * a, problem.friction[a]);
        put(4 * a + 2 + side, 2 * a + 1, side == 0 ? 1.0 : -1.0);
      }
    CoinPackedMatrix matrix(false, rows.data(), columns.data(), values.data(), static_cast<CoinBigIndex>(values.size()));
    matrix.setDimensions(4 * n_, 2 * n_);
    const std::vector<double> low(2 * n_, -inf), high(2 * n_, inf), cost(2 * n_, 0.0), row_low(4 * n_, 0.0),
        row_high(4 * n_, inf);
    simplex_.setLogLevel(0);
    simplex_.loadProblem(matrix, low.data(), high.data(), cost.data(), row_low.data(), row_high.data());
    simplex_.setPrimalTolerance(1e-9);
    const ClockWatcher handler(watch);
    simplex_.passInEventHandler(&handler);
    for (int a = 0; a < n_; ++a) set(a, undecided);
  }

  ModeSearch run() {
    ModeSearch result;
    const bool found = descend(result);
    result.programs = programs_;
    result.existence = found ? Existence::solution : exhausted_ ? Existence::unknown : Existence::none;
    return result;
  }

 private:
  void set(int a, Mode mode) {
    const double qn = -problem_.free[2 * a] / velocity_, qt = -problem_.free[2 * a + 1] / velocity_;
    const bool closed = mode == stick || mode == slip_forward || mode == slip_backward;
    simplex_.setRowBounds(4 * a, qn, closed ? qn : inf);
    simplex_.setRowBounds(4 * a + 1, mode == stick || mode == slip_forward ? qt : -inf,
                          mode == stick || mode == slip_backward ? qt : inf);
    simplex_.setRowBounds(4 * a + 2, 0.0, mode == slip_forward ? 0.0 : inf);
    simplex_.setRowBounds(4 * a + 3, 0.0, mode == slip_backward ? 0.0 : inf);
    simplex_.setColumnBounds(2 * a, 0.0, mode == open ? 0.0 : inf);
  }

  // How far contact a is from its law at the present point, and which mode would be nearest.
  double violation(int a) const {
    const double* r = simplex_.getColSolution();
    const double* rows = simplex_.getRowActivity();
    const double un = rows[4 * a] + problem_.free[2 * a] / velocity_, ut = rows[4 * a + 1] + problem_.free[2 * a + 1] / velocity_;
    const double rn = r[2 * a], mu = problem_.friction[a];
    const double apart = std::min(std::abs(rn), std::abs(un));
    const double sliding = std::min(std::abs(ut), ut > 0.0 ? mu * rn + r[2 * a + 1] : mu * rn - r[2 * a + 1]);
    return std::max(apart, sliding);
  }

  bool descend(ModeSearch& result) {
    if (++programs_ > limit_ || watch_.over()) return exhausted_ = true, false;
    simplex_.dual();
    if (!simplex_.isProvenOptimal()) {
      simplex_.allSlackBasis();
      simplex_.primal();
    }
    if (simplex_.isProvenPrimalInfeasible()) return false;
    if (!simplex_.isProvenOptimal()) return exhausted_ = true, false;
    int worst = -1;
    double most = law_holds;
    for (int a = 0; a < n_; ++a)
      if (const double v = violation(a); v > most) most = v, worst = a;
    if (worst < 0) {
      result.impulse = (mass_ * velocity_) * Eigen::Map<const Eigen::VectorXd>(simplex_.getColSolution(), 2 * n_);
      return true;
    }
    for (const Mode mode : {stick, slip_forward, slip_backward, open}) {
      set(worst, mode);
      if (descend(result)) return true;
      if (exhausted_) return false;
    }
    set(worst, undecided);
    return false;
  }

  const LocalProblem& problem_;
  const Stopwatch& watch_;
  const int limit_, n_;
  int programs_ = 0;
  bool exhausted_ = false;
  double velocity_ = 1.0, mass_ = 1.0;
  ClpSimplex simplex_;
};

}  // namespace

ModeSearch search_modes(const LocalProblem& problem, int most_programs, const Stopwatch& watch) {
  if (problem.dimension() != 2) return {};
  if (problem.contacts() == 0) return {Existence::solution, {}, 0};
  return Search(problem, most_programs, watch).run();
}

}  // namespace moreau::diagnosis
