#include "moreau/diagnosis/confinement.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/QR>
#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace moreau::diagnosis {
namespace {

constexpr double no_power = 1e-9, no_power_round = 1e-7;  // of |q|_max: power smaller than this is zero; round: of conic programs

// Columns of B times the directions in which the impulses may vary: all of a contact that can be inside its cone, one for a
// contact that can only push along a line.
Eigen::SparseMatrix<double> variations(const ConeProblem& problem, const Interior& interior) {
  const int D = problem.dimension;
  std::vector<Eigen::Triplet<double>> entries;
  int column = 0;
  for (int a = 0; a < problem.contacts(); ++a) {
    if (!interior.loaded[a]) continue;
    if (interior.inside[a]) {
      for (int k = 0; k < D; ++k) entries.emplace_back(D * a + k, column++, 1.0);
      continue;
    }
    const Eigen::VectorXd line = interior.impulse.segment(D * a, D) / interior.impulse[D * a];
    for (int k = 0; k < D; ++k) entries.emplace_back(D * a + k, column, line[k]);
    ++column;
  }
  Eigen::SparseMatrix<double> directions(problem.balance.cols(), column);
  directions.setFromTriplets(entries.begin(), entries.end());
  return problem.balance * directions;
}

int nullity(Eigen::SparseMatrix<double> matrix, double zero) {
  const int columns = static_cast<int>(matrix.cols());
  if (columns == 0) return 0;
  Eigen::VectorXd largest = Eigen::VectorXd::Constant(matrix.rows(), std::numeric_limits<double>::min());
  for (int j = 0; j < columns; ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(matrix, j); e; ++e)
      largest[e.row()] = std::max(largest[e.row()], std::abs(e.value()));
  matrix = largest.cwiseInverse().asDiagonal() * matrix;
  if (columns <= 400) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
    qr.setThreshold(zero);
    qr.compute(Eigen::MatrixXd(matrix));
    return columns - static_cast<int>(qr.rank());
  }
  matrix.makeCompressed();
  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(zero);
  qr.compute(matrix);
  return qr.info() == Eigen::Success ? columns - static_cast<int>(qr.rank()) : -1;
}

}  // namespace

Wedge find_wedge(const ConeProblem& problem, const Eigen::VectorXd& free, const Stopwatch& watch) {
  const int D = problem.dimension;
  Wedge wedge;
  wedge.found = Found::nothing;
  wedge.power = std::numeric_limits<double>::infinity();
  if (problem.contacts() == 0) return wedge;
  const double scale = std::max(free.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  ConeProgram program(problem, watch);
  program.normalise();
  const Optimum least = program.minimise(free / scale);
  wedge.found = least.found;
  if (least.found == Found::nothing) return wedge;
  wedge.power = least.found == Found::optimum ? scale * least.value : std::numeric_limits<double>::quiet_NaN();
  if (least.found != Found::optimum) return wedge;
  const double none = problem.round() ? no_power_round : no_power;
  if (!(least.value < -none)) {
    // Positive only where the bound from below says so too; between the two it is zero.
    wedge.power = scale * (least.bound > none ? least.bound : std::abs(least.value) <= none ? 0.0 : least.bound);
    return wedge;
  }
  wedge.exists = true;
  wedge.impulse = least.impulse;
  for (int a = 0; a < problem.contacts(); ++a)
    if (wedge.impulse[D * a] > 1e-7) wedge.contacts.push_back(a);
  return wedge;
}

Confinement examine(const LocalProblem& problem, const Eigen::SparseMatrix<double>& balance, bool solved, const Stopwatch& watch,
                    const ConfinementLimits& limits) {
  Confinement c;
  if (solved) c.existence = Existence::solution;
  if (problem.contacts() > limits.contacts) return c;
  c.examined = true;
  c.isolated = isolated_solutions(problem, watch);
  ConeProblem cones{problem.dimension(), balance, {}, problem.friction, {}, {}};
  c.wedge = find_wedge(cones, problem.free, watch);
  if (solved) return c;
  const double scale = problem.free.size() > 0 ? problem.free.cwiseAbs().maxCoeff() : 0.0;
  if (!c.isolated.all.empty()) c.existence = Existence::solution;
  if (c.wedge.found == Found::failed) return c;
  if (!c.wedge.exists) {
    if (c.wedge.power > no_power * scale) c.existence = Existence::solution;
    return c;
  }
  std::fill(cones.friction.begin(), cones.friction.end(), 0.0);
  if (const Wedge normal = find_wedge(cones, problem.free, watch); normal.exists) {
    c.squeezed = true, c.wedge = normal, c.existence = Existence::none;
    return c;
  }
  if (c.existence == Existence::unknown) c.existence = search_modes(problem, limits.mode_programs, watch).existence;
  return c;
}

ForceSet force_set(const LocalProblem& problem, const Eigen::SparseMatrix<double>& balance, const Eigen::VectorXd& impulse,
                   const Eigen::VectorXd& velocity, double velocity_zero, const Stopwatch& watch) {
  const int D = problem.dimension(), n = problem.contacts();
  ForceSet set;
  set.problem = {D,
                 balance,
                 balance * impulse,
                 problem.friction,
                 std::vector<Support>(n, Support::cone),
                 Eigen::VectorXd::Zero(impulse.size())};
  for (int a = 0; a < n; ++a) {
    const Eigen::VectorXd u = velocity.segment(D * a, D);
    const double sliding = u.tail(D - 1).norm();
    if (u[0] > velocity_zero) {
      set.problem.support[a] = Support::none;
    } else if (sliding > velocity_zero) {
      set.problem.support[a] = Support::line;
      set.problem.line[D * a] = 1.0;
      set.problem.line.segment(D * a + 1, D - 1) = -problem.friction[a] / sliding * u.tail(D - 1);
    }
  }
  // Impulses of the set exactly: what rounding left at open contacts, and beside the line of sliding ones, is dropped.
  Eigen::VectorXd clean = impulse;
  for (int a = 0; a < n; ++a) {
    if (set.problem.support[a] == Support::none) clean.segment(D * a, D).setZero();
    if (set.problem.support[a] == Support::line) clean.segment(D * a, D) = clean[D * a] * set.problem.line.segment(D * a, D);
  }
  set.problem.right = balance * clean;
  const Interior interior = ConeProgram(set.problem, watch).interior();
  if (interior.found == Found::optimum)
    set.dimension = nullity(variations(set.problem, interior), set.problem.round() ? 1e-7 : 1e-9);
  return set;
}

std::vector<NormalRange> normal_ranges(const ConeProblem& set, const Eigen::VectorXd& impulse, const std::vector<int>& contacts,
                                       const Stopwatch& watch) {
  const int D = set.dimension;
  ConeProgram program(set, watch);
  const auto extreme = [&](int contact, double sense) {
    Eigen::VectorXd c = Eigen::VectorXd::Zero(impulse.size());
    c[D * contact] = sense;
    const Optimum best = program.minimise(c);
    if (best.found == Found::optimum) return sense * best.value;
    return best.found == Found::unbounded ? -sense * std::numeric_limits<double>::infinity()
                                          : std::numeric_limits<double>::quiet_NaN();
  };
  std::vector<NormalRange> ranges;
  for (const int a : contacts) {
    const double least = extreme(a, 1.0), most = extreme(a, -1.0);
    ranges.push_back({a, impulse[D * a], least, most});
  }
  return ranges;
}

}  // namespace moreau::diagnosis
