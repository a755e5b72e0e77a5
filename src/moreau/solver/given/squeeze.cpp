#include "moreau/solver/given/squeeze.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/solver/given/local_certificate.hpp"
#include "moreau/solver/given/normal_program.hpp"

namespace moreau::inline solver {
namespace {

constexpr int most_points = 30;
constexpr double rounding_left = 1e-9;  // of the power: what |W d| may leave in doubt
constexpr double growth = 100.0;
constexpr double least_share = 1e-9;  // of the largest d_N: contacts below it do not take part

}  // namespace

std::optional<Squeeze> proven_squeeze(const LocalProblem& problem, const Eigen::VectorXd& normal) {
  const int D = problem.dimension(), n = problem.contacts();
  const double largest = n > 0 ? normal.maxCoeff() : 0.0;
  if (!(largest > 0.0) || !normal.allFinite()) return {};
  Squeeze squeeze;
  squeeze.normal = Eigen::VectorXd::Zero(n);
  for (int a = 0; a < n; ++a)
    if (normal[a] > least_share * largest) squeeze.normal[a] = normal[a], squeeze.contacts.push_back(a);
  squeeze.normal /= squeeze.normal.sum();
  double power = 0.0;
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(problem.free.size());
  for (const int a : squeeze.contacts) impulse[D * a] = squeeze.normal[a], power += squeeze.normal[a] * problem.free[D * a];
  squeeze.power = power;
  const double given = given_velocity(problem), compliance = largest_compliance(problem);
  if (!(power < -rounding_left * given)) return {};
  // W^T d, since d . W r = r . W^T d.
  Eigen::VectorXd left = Eigen::VectorXd::Zero(problem.free.size());
  const BlockMatrix& W = problem.delassus;
  for (const int a : squeeze.contacts)
    for (int place = W.start[a]; place < W.start[a + 1]; ++place)
      for (int k = 0; k < D; ++k) left[D * W.column[place] + k] += W.block(place)[k] * impulse[D * a];
  if (left.cwiseAbs().maxCoeff() * given > rounding_left * compliance * -power) return {};
  return squeeze;
}

std::optional<Squeeze> find_squeeze(const LocalProblem& problem, const Stopwatch& watch) {
  if (problem.contacts() == 0) return {};
  NormalProgram program(problem);
  double alpha = 1e-4 * program.stiffness();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(problem.contacts()), next;
  const double given = given_velocity(problem);
  int steps = 0;
  for (int point = 0; point < most_points && !watch.over(); ++point) {
    next = x;
    if (!program.settle(alpha, x, watch, next, steps)) {
      alpha = std::min(program.stiffness(), 10.0 * alpha);
      continue;
    }
    next = next.cwiseMax(0.0);
    const Eigen::VectorXd way = next - x;
    // At the last point u_N = alpha (x - next) where the contact is closed: none closes, so velocities without approach exist.
    if (alpha * way.cwiseAbs().maxCoeff() <= 1e-9 * given) return {};
    if (auto squeeze = proven_squeeze(problem, way)) return squeeze;
    x = next;
    alpha = std::max(1e-9 * program.stiffness(), 0.1 * alpha);
  }
  return {};
}

bool impulses_grow(const LocalProblem& problem, const Eigen::VectorXd& impulse) {
  const int D = problem.dimension();
  const double given = given_velocity(problem);
  for (int a = 0; a < problem.contacts(); ++a)
    if (compliance(problem, a) * impulse.segment(D * a, D).norm() > growth * given) return true;
  return false;
}

}  // namespace moreau::inline solver
