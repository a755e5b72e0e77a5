// Frictionless contact without Gauss-Seidel: the linear complementarity problem  w = q + W P >= 0, P >= 0, w.P = 0,  which is the
// minimum of 1/2 P.W P + q.P over P >= 0 (Moreau 2003, eqs. 26-28). W holds the normal rows only.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace moreau::oracle {

inline Eigen::VectorXd solve_on_support(const Eigen::MatrixXd& W, const Eigen::VectorXd& q, const std::vector<bool>& closed) {
  std::vector<int> rows;
  for (int i = 0; i < q.size(); ++i)
    if (closed[i]) rows.push_back(i);
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(q.size());
  if (rows.empty()) return impulse;
  const Eigen::MatrixXd block = W(rows, rows);
  const Eigen::VectorXd right = -q(rows), part = block.completeOrthogonalDecomposition().solve(right);
  impulse(rows) = part;
  return impulse;
}

// Murty's least-index pivoting: the lowest contact whose sign is wrong changes side. Ends for every positive definite W.
inline Eigen::VectorXd solve_frictionless_by_pivoting(const Eigen::MatrixXd& W, const Eigen::VectorXd& q) {
  const int n = static_cast<int>(q.size());
  std::vector<bool> closed(n, false);
  for (int pivots = 0; pivots < 1000000; ++pivots) {
    const Eigen::VectorXd impulse = solve_on_support(W, q, closed), velocity = q + W * impulse;
    int wrong = 0;
    while (wrong < n && (closed[wrong] ? impulse[wrong] >= 0.0 : velocity[wrong] >= 0.0)) ++wrong;
    if (wrong == n) return impulse;
    closed[wrong] = !closed[wrong];
  }
  return Eigen::VectorXd::Constant(n, std::nan(""));
}

// Every set of closed contacts in turn, least-norm impulses: also for singular W (hyperstatic), where the velocity q + W P is
// still unique. n <= 10. tolerance: slack of the sign tests relative to the largest |q|.
inline Eigen::VectorXd solve_frictionless_by_enumeration(const Eigen::MatrixXd& W, const Eigen::VectorXd& q,
                                                         double tolerance = 1e-10) {
  const int n = static_cast<int>(q.size());
  const double slack = tolerance * q.cwiseAbs().maxCoeff();
  for (int code = 0; code < (1 << n); ++code) {
    std::vector<bool> closed(n);
    for (int i = 0; i < n; ++i) closed[i] = (code >> i) & 1;
    const Eigen::VectorXd impulse = solve_on_support(W, q, closed), velocity = q + W * impulse;
    bool good = true;
    for (int i = 0; i < n; ++i)
      good = good && (closed[i] ? impulse[i] >= -slack && std::abs(velocity[i]) <= slack : velocity[i] >= -slack);
    if (good) return impulse;
  }
  return Eigen::VectorXd::Constant(n, std::nan(""));
}

}  // namespace moreau::oracle
