#include "moreau/diagnosis/cone_program.hpp"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace moreau::diagnosis {
namespace {

constexpr double inside_cone = 1e-9;  // of the largest impulse: nearer than this counts as inside
constexpr int rounds = 60;            // of cutting planes
constexpr int first_facets = 8;

}  // namespace

// Columns: r, then tau (b is multiplied by it), then for each contact t (how far inside its cone, at most 1) and s (how loaded,
// at most 1). Only interior() frees tau, t and s. Rows: balance, sum of r_N, s <= r_N, lines, facets.
struct ConeProgram::State {
  const ConeProblem problem;
  ClpSimplex simplex;
  double scale = 1.0;  // impulses in the program are divided by it
  int sum_row = 0;

  int D() const { return problem.dimension; }
  int tau() const { return D() * problem.contacts(); }
  int inside(int contact) const { return tau() + 1 + 2 * contact; }
  int loaded(int contact) const { return inside(contact) + 1; }

  // mu r_N - direction . r_T - t >= 0
  void add_facet(int contact, const double* direction) {
    std::vector<int> columns{D() * contact, inside(contact)};
    std::vector<double> values{problem.friction[contact], -1.0};
    for (int k = 1; k < D(); ++k) columns.push_back(D() * contact + k), values.push_back(-direction[k - 1]);
    simplex.addRow(static_cast<int>(columns.size()), columns.data(), values.data(), 0.0, COIN_DBL_MAX);
  }

  // Tangent planes where the present point is outside; true if there were any.
  bool cut() {
    if (D() == 2) return false;
    const double* r = simplex.getColSolution();
    double largest = 0.0;
    for (int a = 0; a < problem.contacts(); ++a) largest = std::max(largest, r[3 * a]);
    std::vector<std::array<double, 3>> cuts;
    for (int a = 0; a < problem.contacts(); ++a) {
      if (problem.support_of(a) != Support::cone || problem.friction[a] == 0.0) continue;
      const double tangent = std::hypot(r[3 * a + 1], r[3 * a + 2]);
      if (tangent + r[inside(a)] > problem.friction[a] * r[3 * a] + inside_cone * std::max(largest, 1e-3))
        cuts.push_back({static_cast<double>(a), r[3 * a + 1] / tangent, r[3 * a + 2] / tangent});
    }
    for (const auto& c : cuts) add_facet(static_cast<int>(c[0]), &c[1]);
    return !cuts.empty();
  }

  bool decided() const {
    return simplex.isProvenPrimalInfeasible() || simplex.isProvenDualInfeasible() || simplex.isProvenOptimal();
  }

  Found solve() {
    for (int round = 0; round < rounds; ++round) {
      if (round == 0)
        simplex.primal();
      else
        simplex.dual();
      if (!decided()) simplex.allSlackBasis(), simplex.dual();
      if (!decided()) simplex.scaling(0), simplex.allSlackBasis(), simplex.primal(), simplex.scaling(3);
      if (simplex.isProvenPrimalInfeasible()) return Found::nothing;
      if (simplex.isProvenDualInfeasible()) return Found::unbounded;
      if (!simplex.isProvenOptimal()) return Found::failed;
      if (!cut()) return Found::optimum;
    }
    return Found::failed;
  }
};

ConeProgram::ConeProgram(const ConeProblem& problem) : state_(new State{problem, {}, 1.0, 0}) {
  State& s = *state_;
  const int D = problem.dimension, n = problem.contacts(), columns = s.tau() + 1 + 2 * n,
            bodies = static_cast<int>(problem.balance.rows());
  std::vector<double> largest(bodies, 0.0);
  for (int j = 0; j < problem.balance.cols(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(problem.balance, j); e; ++e)
      largest[e.row()] = std::max(largest[e.row()], std::abs(e.value()));
  if (problem.right.size() > 0) {
    double most = 0.0;
    for (int i = 0; i < bodies; ++i)
      if (largest[i] > 0.0) most = std::max(most, std::abs(problem.right[i]) / largest[i]);
    if (most > 0.0) s.scale = most;
  }
  std::vector<int> rows, cols;
  std::vector<double> values;
  const auto put = [&](int row, int column, double value) {
    rows.push_back(row), cols.push_back(column), values.push_back(value);
  };
  for (int j = 0; j < problem.balance.cols(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(problem.balance, j); e; ++e)
      if (std::abs(e.value()) > 1e-14 * largest[e.row()]) put(static_cast<int>(e.row()), j, e.value() / largest[e.row()]);
  for (int i = 0; i < bodies; ++i)
    if (problem.right.size() > 0 && problem.right[i] != 0.0 && largest[i] > 0.0)
      put(i, s.tau(), -problem.right[i] / (largest[i] * s.scale));
  std::vector<double> row_low(bodies, 0.0), row_high(bodies, 0.0), low(columns, -COIN_DBL_MAX), high(columns, COIN_DBL_MAX);
  const auto new_row = [&](double least, double most) {
    row_low.push_back(least), row_high.push_back(most);
    return static_cast<int>(row_low.size()) - 1;
  };
  low[s.tau()] = high[s.tau()] = 1.0;
  s.sum_row = new_row(-COIN_DBL_MAX, COIN_DBL_MAX);
  for (int a = 0; a < n; ++a) {
    put(s.sum_row, D * a, 1.0);
    low[D * a] = 0.0;
    low[s.inside(a)] = high[s.inside(a)] = low[s.loaded(a)] = high[s.loaded(a)] = 0.0;
    const int load = new_row(0.0, COIN_DBL_MAX);
    put(load, D * a, 1.0), put(load, s.loaded(a), -1.0);
    const bool slippery = problem.friction[a] == 0.0, none = problem.support_of(a) == Support::none;
    if (none) high[D * a] = 0.0;
    for (int k = 1; k < D; ++k) {
      if (none || (slippery && problem.support_of(a) == Support::cone)) low[D * a + k] = high[D * a + k] = 0.0;
      if (problem.support_of(a) != Support::line) continue;
      const int row = new_row(0.0, 0.0);
      put(row, D * a + k, 1.0), put(row, D * a, -problem.line[D * a + k]);
    }
  }
  CoinPackedMatrix matrix(false, rows.data(), cols.data(), values.data(), static_cast<CoinBigIndex>(values.size()));
  matrix.setDimensions(static_cast<int>(row_low.size()), columns);
  s.simplex.setLogLevel(0);
  s.simplex.loadProblem(matrix, low.data(), high.data(), std::vector<double>(columns, 0.0).data(), row_low.data(),
                        row_high.data());
  for (int a = 0; a < n; ++a) {
    if (problem.support_of(a) != Support::cone || problem.friction[a] == 0.0) continue;
    for (int k = 0; k < (D == 2 ? 2 : first_facets); ++k) {
      const double angle = 2.0 * std::numbers::pi * k / (D == 2 ? 2 : first_facets),
                   direction[2] = {std::cos(angle), std::sin(angle)};
      s.add_facet(a, direction);
    }
  }
  s.simplex.setPrimalTolerance(1e-9);
  s.simplex.setDualTolerance(1e-9);
}

ConeProgram::~ConeProgram() = default;

void ConeProgram::normalise() { state_->simplex.setRowBounds(state_->sum_row, 1.0, 1.0); }

Optimum ConeProgram::minimise(const Eigen::VectorXd& c) {
  State& s = *state_;
  for (int j = 0; j < s.tau(); ++j) s.simplex.setObjectiveCoefficient(j, c[j]);
  Optimum best;
  best.found = s.solve();
  if (best.found != Found::optimum) return best;
  best.impulse = s.scale * Eigen::Map<const Eigen::VectorXd>(s.simplex.getColSolution(), s.tau());
  best.value = c.dot(best.impulse);
  return best;
}

Interior ConeProgram::interior() {
  State& s = *state_;
  const int n = s.problem.contacts();
  for (int j = 0; j < s.tau(); ++j) s.simplex.setObjectiveCoefficient(j, 0.0);
  s.simplex.setColumnBounds(s.tau(), 1.0, COIN_DBL_MAX);
  for (int a = 0; a < n; ++a) {
    const Support support = s.problem.support_of(a);
    if (support == Support::none) continue;
    s.simplex.setColumnBounds(s.loaded(a), 0.0, 1.0);
    s.simplex.setObjectiveCoefficient(s.loaded(a), -1.0);
    if (support == Support::line || s.problem.friction[a] == 0.0) continue;
    s.simplex.setColumnBounds(s.inside(a), 0.0, 1.0);
    s.simplex.setObjectiveCoefficient(s.inside(a), -1.0);
  }
  Interior all;
  all.found = s.solve();
  if (all.found != Found::optimum) return all;
  const double* x = s.simplex.getColSolution();
  all.impulse = Eigen::Map<const Eigen::VectorXd>(x, s.tau());
  all.loaded.resize(n), all.inside.resize(n);
  for (int a = 0; a < n; ++a) all.loaded[a] = x[s.loaded(a)] > 1e-6, all.inside[a] = x[s.inside(a)] > 1e-6;
  return all;
}

}  // namespace moreau::diagnosis
