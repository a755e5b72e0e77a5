#include "moreau/diagnosis/cone_program.hpp"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <cmath>

#include "moreau/diagnosis/clock_watcher.hpp"

namespace moreau::diagnosis {
namespace {

constexpr double free_of_noise = 1e-14;  // of the largest entry of a row: smaller ones are rounding
constexpr double range_of_numbers = 1e100;

// Rows of B divided by their largest entry, and what impulses are divided by in the program.
struct Scales {
  Eigen::VectorXd row;
  double impulse = 1.0;

  explicit Scales(const ConeProblem& problem) : row(Eigen::VectorXd::Zero(problem.balance.rows())) {
    for (int j = 0; j < problem.balance.cols(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator e(problem.balance, j); e; ++e)
        row[e.row()] = std::max(row[e.row()], std::abs(e.value()));
    double most = 0.0;
    for (int i = 0; i < problem.right.size(); ++i)
      if (row[i] > 0.0) most = std::max(most, std::abs(problem.right[i]) / row[i]);
    if (most > 0.0) impulse = most;
  }
};

bool usable(const ConeProblem& problem) {
  double most = 0.0;
  const auto look = [&](double x) { most = std::isfinite(x) ? std::max(most, std::abs(x)) : HUGE_VAL; };
  for (int j = 0; j < problem.balance.cols(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(problem.balance, j); e; ++e) look(e.value());
  for (const double mu : problem.friction) look(mu);
  for (const double b : problem.right) look(b);
  return most < range_of_numbers;
}

}  // namespace

bool ConeProblem::round() const {
  if (dimension == 2) return false;
  for (int a = 0; a < contacts(); ++a)
    if (support_of(a) == Support::cone && friction[a] > 0.0) return true;
  return false;
}

// Columns: r, then tau (b is multiplied by it), then for each contact t (how far inside its cone, at most 1) and s (how loaded,
// at most 1). Only interior() frees tau, t and s. Rows: balance, sum of r_N, s <= r_N, lines, sides of the cones (plane).
struct ConeProgram::Linear {
  const ConeProblem problem;
  const Stopwatch watch;
  ClpSimplex simplex;
  double scale = 1.0;  // impulses in the program are divided by it
  Eigen::VectorXd row_scale;
  int sum_row = 0;

  Linear(const ConeProblem& p, const Stopwatch& w) : problem(p), watch(w) { build(); }

  int D() const { return problem.dimension; }
  int tau() const { return D() * problem.contacts(); }
  int inside(int contact) const { return tau() + 1 + 2 * contact; }
  int loaded(int contact) const { return inside(contact) + 1; }

  void build() {
    const int n = problem.contacts(), columns = tau() + 1 + 2 * n, bodies = static_cast<int>(problem.balance.rows());
    const Scales scales(problem);
    scale = scales.impulse, row_scale = scales.row;
    std::vector<int> rows, cols;
    std::vector<double> values;
    const auto put = [&](int row, int column, double value) {
      rows.push_back(row), cols.push_back(column), values.push_back(value);
    };
    for (int j = 0; j < problem.balance.cols(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator e(problem.balance, j); e; ++e)
        if (std::abs(e.value()) > free_of_noise * scales.row[e.row()])
          put(static_cast<int>(e.row()), j, e.value() / scales.row[e.row()]);
    for (int i = 0; i < problem.right.size(); ++i)
      if (problem.right[i] != 0.0 && scales.row[i] > 0.0) put(i, tau(), -problem.right[i] / (scales.row[i] * scale));
    std::vector<double> row_low(bodies, 0.0), row_high(bodies, 0.0), low(columns, -COIN_DBL_MAX), high(columns, COIN_DBL_MAX);
    const auto new_row = [&](double least, double most) {
      row_low.push_back(least), row_high.push_back(most);
      return static_cast<int>(row_low.size()) - 1;
    };
    low[tau()] = high[tau()] = 1.0;
    sum_row = new_row(-COIN_DBL_MAX, COIN_DBL_MAX);
    for (int a = 0; a < n; ++a) {
      put(sum_row, D() * a, 1.0);
      low[D() * a] = 0.0;
      low[inside(a)] = high[inside(a)] = low[loaded(a)] = high[loaded(a)] = 0.0;
      const int load = new_row(0.0, COIN_DBL_MAX);
      put(load, D() * a, 1.0), put(load, loaded(a), -1.0);
      const bool slippery = problem.friction[a] == 0.0, none = problem.support_of(a) == Support::none,
                 cone = problem.support_of(a) == Support::cone;
      if (none) high[D() * a] = 0.0;
      for (int k = 1; k < D(); ++k) {
        if (none || (slippery && cone)) low[D() * a + k] = high[D() * a + k] = 0.0;
        if (problem.support_of(a) != Support::line) continue;
        const int row = new_row(0.0, 0.0);
        put(row, D() * a + k, 1.0), put(row, D() * a, -problem.line[D() * a + k]);
      }
      if (!cone || slippery) continue;
      for (const double side : {1.0, -1.0}) {  // mu r_N - side r_T - t >= 0
        const int row = new_row(0.0, COIN_DBL_MAX);
        put(row, D() * a, problem.friction[a]), put(row, D() * a + 1, -side), put(row, inside(a), -1.0);
      }
    }
    CoinPackedMatrix matrix(false, rows.data(), cols.data(), values.data(), static_cast<CoinBigIndex>(values.size()));
    matrix.setDimensions(static_cast<int>(row_low.size()), columns);
    simplex.setLogLevel(0);
    simplex.loadProblem(matrix, low.data(), high.data(), std::vector<double>(columns, 0.0).data(), row_low.data(),
                        row_high.data());
    simplex.setPrimalTolerance(1e-9);
    simplex.setDualTolerance(1e-9);
    const ClockWatcher handler(watch);
    simplex.passInEventHandler(&handler);
  }

  bool decided() const {
    return simplex.isProvenPrimalInfeasible() || simplex.isProvenDualInfeasible() || simplex.isProvenOptimal();
  }

  Found solve() {
    if (watch.over()) return Found::failed;
    simplex.primal();
    if (!decided() && !watch.over()) simplex.allSlackBasis(), simplex.dual();
    if (!decided() && !watch.over()) simplex.scaling(0), simplex.allSlackBasis(), simplex.primal(), simplex.scaling(3);
    if (simplex.isProvenPrimalInfeasible()) return Found::nothing;
    if (simplex.isProvenDualInfeasible()) return Found::unbounded;
    return simplex.isProvenOptimal() ? Found::optimum : Found::failed;
  }

  Optimum minimise(const Eigen::VectorXd& c) {
    for (int j = 0; j < tau(); ++j) simplex.setObjectiveCoefficient(j, c[j]);
    Optimum best;
    best.found = solve();
    if (best.found == Found::nothing) {  // as much as can be balanced: what opposes more
      for (int j = 0; j < tau(); ++j) simplex.setObjectiveCoefficient(j, 0.0);
      simplex.setColumnBounds(tau(), 0.0, 1.0);
      simplex.setObjectiveCoefficient(tau(), -1.0);
      if (solve() == Found::optimum) best.motion = motion();
      simplex.setObjectiveCoefficient(tau(), 0.0);
      simplex.setColumnBounds(tau(), 1.0, 1.0);
    }
    if (best.found != Found::optimum) return best;
    best.motion = motion();
    best.impulse = scale * Eigen::Map<const Eigen::VectorXd>(simplex.getColSolution(), tau());
    best.value = best.bound = c.dot(best.impulse);
    return best;
  }

  Eigen::VectorXd motion() const {
    Eigen::VectorXd v = -Eigen::Map<const Eigen::VectorXd>(simplex.getRowPrice(), problem.balance.rows());
    for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = row_scale[i] > 0.0 ? v[i] / row_scale[i] : 0.0;
    return v;
  }

  Interior interior() {
    const int n = problem.contacts();
    for (int j = 0; j < tau(); ++j) simplex.setObjectiveCoefficient(j, 0.0);
    simplex.setColumnBounds(tau(), 1.0, COIN_DBL_MAX);
    for (int a = 0; a < n; ++a) {
      const Support support = problem.support_of(a);
      if (support == Support::none) continue;
      simplex.setColumnBounds(loaded(a), 0.0, 1.0);
      simplex.setObjectiveCoefficient(loaded(a), -1.0);
      if (support == Support::line || problem.friction[a] == 0.0) continue;
      simplex.setColumnBounds(inside(a), 0.0, 1.0);
      simplex.setObjectiveCoefficient(inside(a), -1.0);
    }
    Interior all;
    all.found = solve();
    if (all.found != Found::optimum) return all;
    const double* x = simplex.getColSolution();
    all.impulse = Eigen::Map<const Eigen::VectorXd>(x, tau());
    all.loaded.resize(n), all.inside.resize(n);
    for (int a = 0; a < n; ++a) all.loaded[a] = x[loaded(a)] > 1e-6, all.inside[a] = x[inside(a)] > 1e-6;
    return all;
  }
};

// Variables of a contact with a round cone: (k r_N, k r_T / mu), k = max(1, mu), in the standard cone; of one that pushes along a
// line: r_N >= 0.
struct ConeProgram::Round {
  const ConeProblem problem;
  const Stopwatch watch;
  const Scales scales;
  bool normalised = false;

  Round(const ConeProblem& p, const Stopwatch& w) : problem(p), watch(w), scales(p) {}

  bool has_cone(int a) const { return problem.support_of(a) == Support::cone && problem.friction[a] > 0.0; }
  static double stretch(double mu) { return std::max(1.0, mu); }

  // The program in the making.
  struct Draft {
    ConicProblem conic;
    std::vector<int> first;  // variable of each contact; -1: none
    std::vector<Eigen::Triplet<double>> entries;
    std::vector<double> right, cost;

    int variables(int components) {
      const int at = static_cast<int>(cost.size());
      conic.cones.push_back(components);
      cost.resize(cost.size() + static_cast<std::size_t>(components), 0.0);
      return at;
    }
    int row(double value) {
      right.push_back(value);
      return static_cast<int>(right.size()) - 1;
    }
    void put(int row, int column, double value) { entries.emplace_back(row, column, value); }
    void finish() {
      conic.A.resize(static_cast<int>(right.size()), static_cast<int>(cost.size()));
      conic.A.setFromTriplets(entries.begin(), entries.end());
      conic.b = Eigen::Map<const Eigen::VectorXd>(right.data(), static_cast<Eigen::Index>(right.size()));
      conic.c = Eigen::Map<const Eigen::VectorXd>(cost.data(), static_cast<Eigen::Index>(cost.size()));
    }
  };

  // r_k of contact a is `factor` times variable `first + (has_cone ? k : 0)`.
  double factor(int a, int k) const {
    if (!has_cone(a)) return k == 0 ? 1.0 : problem.support_of(a) == Support::line ? problem.line[3 * a + k] : 0.0;
    const double mu = problem.friction[a];
    return (k == 0 ? 1.0 : mu) / stretch(mu);
  }

  Draft draft() const {
    Draft d;
    const int n = problem.contacts();
    d.first.assign(n, -1);
    for (int a = 0; a < n; ++a)
      if (problem.support_of(a) != Support::none) d.first[a] = d.variables(has_cone(a) ? 3 : 1);
    for (int i = 0; i < problem.balance.rows(); ++i)
      d.row(problem.right.size() > 0 && scales.row[i] > 0.0 ? problem.right[i] / (scales.row[i] * scales.impulse) : 0.0);
    for (int a = 0; a < n; ++a) {
      if (d.first[a] < 0) continue;
      for (int k = 0; k < 3; ++k)
        for (Eigen::SparseMatrix<double>::InnerIterator e(problem.balance, 3 * a + k); e; ++e)
          if (std::abs(e.value()) > free_of_noise * scales.row[e.row()])
            d.put(static_cast<int>(e.row()), d.first[a] + (has_cone(a) ? k : 0), factor(a, k) * e.value() / scales.row[e.row()]);
    }
    return d;
  }

  Eigen::VectorXd impulse_of(const Draft& d, const Eigen::VectorXd& x) const {
    Eigen::VectorXd r = Eigen::VectorXd::Zero(3 * problem.contacts());
    for (int a = 0; a < problem.contacts(); ++a)
      for (int k = 0; k < 3 && d.first[a] >= 0; ++k) r[3 * a + k] = factor(a, k) * x[d.first[a] + (has_cone(a) ? k : 0)];
    return r;
  }

  Optimum minimise(const Eigen::VectorXd& c) const {
    Draft d = draft();
    const int sum = normalised ? d.row(1.0) : -1;
    for (int a = 0; a < problem.contacts(); ++a) {
      if (d.first[a] < 0) continue;
      if (normalised) d.put(sum, d.first[a], factor(a, 0));
      for (int k = 0; k < 3; ++k) d.cost[d.first[a] + (has_cone(a) ? k : 0)] += factor(a, k) * c[3 * a + k];
    }
    d.finish();
    const ConicOptimum found = solve_conic(d.conic, watch);
    Optimum best;
    best.found = found.found;
    if (found.y.size() > 0) {
      best.motion = -found.y.head(problem.balance.rows());
      for (Eigen::Index i = 0; i < best.motion.size(); ++i)
        best.motion[i] = scales.row[i] > 0.0 ? best.motion[i] / scales.row[i] : 0.0;
    }
    if (best.found != Found::optimum) return best;
    best.impulse = scales.impulse * impulse_of(d, found.x);
    best.value = c.dot(best.impulse), best.bound = scales.impulse * found.bound;
    return best;
  }

  // As in Linear: tau = 1 + more, loads s <= r_N and depths t <= 1, their sum as large as can be. The first variable of a cone is
  // what its load leaves beyond the depth t.
  Interior interior() const {
    Draft d = draft();
    const int n = problem.contacts(), balances = static_cast<int>(problem.balance.rows()), more = d.variables(1);
    std::vector<int> load(n, -1), depth(n, -1);
    const auto at_most_one = [&] {
      const int x = d.variables(1), rest = d.variables(1), row = d.row(1.0);
      d.put(row, x, 1.0), d.put(row, rest, 1.0), d.cost[x] = -1.0;
      return x;
    };
    for (int i = 0; i < balances; ++i)
      if (d.right[i] != 0.0) d.put(i, more, -d.right[i]);
    for (int a = 0; a < n; ++a) {
      if (d.first[a] < 0) continue;
      load[a] = at_most_one();
      const int rest = d.variables(1), row = d.row(0.0);
      d.put(row, d.first[a], factor(a, 0)), d.put(row, load[a], -1.0), d.put(row, rest, -1.0);
      if (!has_cone(a)) continue;
      depth[a] = at_most_one();
      d.put(row, depth[a], factor(a, 0));
      for (Eigen::SparseMatrix<double>::InnerIterator e(problem.balance, 3 * a); e; ++e)
        if (std::abs(e.value()) > free_of_noise * scales.row[e.row()])
          d.put(static_cast<int>(e.row()), depth[a], factor(a, 0) * e.value() / scales.row[e.row()]);
    }
    d.finish();
    const ConicOptimum found = solve_conic(d.conic, watch);
    Interior all;
    all.found = found.found;
    if (all.found != Found::optimum) return all;
    constexpr double is_so = 1e-4;
    all.impulse = impulse_of(d, found.x);
    all.loaded.assign(n, false), all.inside.assign(n, false);
    for (int a = 0; a < n; ++a) {
      if (d.first[a] < 0) continue;
      all.loaded[a] = found.x[load[a]] > is_so;
      if (depth[a] < 0) continue;
      all.inside[a] = found.x[depth[a]] > is_so;
      all.impulse[3 * a] += factor(a, 0) * found.x[depth[a]];
    }
    return all;
  }
};

ConeProgram::ConeProgram(const ConeProblem& problem, const Stopwatch& watch) : usable_(usable(problem)) {
  if (!usable_) return;
  if (problem.round())
    round_ = std::make_unique<Round>(problem, watch);
  else
    linear_ = std::make_unique<Linear>(problem, watch);
}

ConeProgram::~ConeProgram() = default;

void ConeProgram::normalise() {
  if (linear_) linear_->simplex.setRowBounds(linear_->sum_row, 1.0, 1.0);
  if (round_) round_->normalised = true;
}

Optimum ConeProgram::minimise(const Eigen::VectorXd& c) {
  if (!usable_ || !c.allFinite()) return {};
  return linear_ ? linear_->minimise(c) : round_->minimise(c);
}

Interior ConeProgram::interior() {
  if (!usable_) return {};
  return linear_ ? linear_->interior() : round_->interior();
}

}  // namespace moreau::diagnosis
