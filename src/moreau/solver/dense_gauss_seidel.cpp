#include "moreau/solver/dense_gauss_seidel.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "moreau/law/coulomb_plane.hpp"
#include "moreau/law/coulomb_space.hpp"
#include "moreau/law/residual.hpp"

namespace moreau {
namespace {

inline Vec<2> solve_one(const Vec<2>& v, const DelassusBlock<2>& H, double friction) {
  return solve_coulomb_plane(v, H, friction);
}
inline Vec<3> solve_one(const Vec<3>& v, const DelassusBlock<3>& H, double friction) {
  return solve_coulomb_space(v, H, friction);
}

template <int D>
Vec<D> contact_part(const Eigen::VectorXd& all, int contact) {
  Vec<D> part;
  for (int i = 0; i < D; ++i) part[i] = all[D * contact + i];
  return part;
}

template <int D>
DelassusBlock<D> diagonal_block(const Eigen::MatrixXd& delassus, int contact) {
  DelassusBlock<D> H;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) H.c[i][j] = delassus(D * contact + i, D * contact + j);
  return H;
}

// Velocity at the contact if its own impulse were zero: q_a + sum over b != a of W_ab P_b. Summed afresh, so that nothing drifts.
template <int D>
Vec<D> velocity_without_itself(const DenseProblem& problem, const Eigen::VectorXd& impulse, int contact) {
  Vec<D> v = contact_part<D>(problem.free, contact);
  const int before = D * contact, after = static_cast<int>(impulse.size()) - before - D;
  for (int i = 0; i < D; ++i) {
    const auto row = problem.delassus.row(before + i);
    v[i] += row.head(before).dot(impulse.head(before)) + row.tail(after).dot(impulse.tail(after));
  }
  return v;
}

template <int D>
double largest_component(const Vec<D>& a) {
  double largest = 0.0;
  for (int i = 0; i < D; ++i) largest = std::max(largest, std::abs(a[i]));
  return largest;
}

template <int D>
double law_residual(const DenseProblem& problem, const DenseResult& result) {
  double worst = 0.0;
  for (int a = 0; a < problem.contacts(); ++a) {
    const double trace = problem.delassus.diagonal().segment(D * a, D).sum();
    worst = std::max(worst, natural_residual(contact_part<D>(result.velocity, a), contact_part<D>(result.impulse, a),
                                             problem.friction[a], trace));
  }
  return worst;
}

// The criterion documented at DenseResult::unbounded.
bool grows_without_bound(const std::vector<double>& change, const std::vector<double>& magnitude) {
  const std::size_t half = change.size() / 2;
  if (half < 2) return false;
  for (std::size_t k = half; k < magnitude.size(); ++k)
    if (!(magnitude[k] > magnitude[k - 1])) return false;
  return change.back() >= 0.999 * change[half];
}

template <int D>
DenseResult solve(const DenseProblem& problem, const DenseSettings& settings, const Eigen::VectorXd& start) {
  const int contacts = problem.contacts();
  std::vector<int> order = settings.order;
  if (order.empty()) {
    order.resize(contacts);
    std::iota(order.begin(), order.end(), 0);
  }
  std::vector<DelassusBlock<D>> block(contacts);
  for (int a = 0; a < contacts; ++a) block[a] = diagonal_block<D>(problem.delassus, a);

  DenseResult result;
  result.impulse = start.size() ? start : Eigen::VectorXd::Zero(D * contacts);
  while (!result.converged && result.sweeps < settings.max_sweeps) {
    double change = 0.0;
    for (const int a : order) {
      const Vec<D> before = contact_part<D>(result.impulse, a);
      const Vec<D> exact = solve_one(velocity_without_itself<D>(problem, result.impulse, a), block[a], problem.friction[a]);
      Vec<D> corrected = before + settings.relaxation * (exact - before);
      if (settings.relaxation == 1.0) corrected = exact;
      if (settings.relaxation > 1.0) corrected = project_on_cone(corrected, problem.friction[a]);
      const Vec<D> difference = corrected - before;
      change =
          std::max(change, settings.stop == DenseStop::impulse ? largest_component(difference) : norm(block[a] * difference));
      for (int i = 0; i < D; ++i) result.impulse[D * a + i] = corrected[i];
    }
    double magnitude = 0.0;
    for (int a = 0; a < contacts; ++a) magnitude += norm(contact_part<D>(result.impulse, a));
    result.change.push_back(change);
    result.magnitude.push_back(magnitude);
    ++result.sweeps;
    result.converged = change <= settings.tolerance;
  }
  result.velocity = problem.velocity(result.impulse);
  result.residual = law_residual<D>(problem, result);
  result.unbounded = !result.converged && grows_without_bound(result.change, result.magnitude);
  if (!settings.keep_history) {
    result.change.clear();
    result.magnitude.clear();
  }
  return result;
}

}  // namespace

DenseResult solve_dense_gauss_seidel(const DenseProblem& problem, const DenseSettings& settings, const Eigen::VectorXd& start) {
  assert(problem.dimension == 2 || problem.dimension == 3);
  assert(problem.free.size() == problem.dimension * problem.contacts());
  assert(problem.delassus.rows() == problem.free.size() && problem.delassus.cols() == problem.free.size());
  assert(start.size() == 0 || start.size() == problem.free.size());
  return problem.dimension == 2 ? solve<2>(problem, settings, start) : solve<3>(problem, settings, start);
}

}  // namespace moreau
