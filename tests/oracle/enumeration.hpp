// All solutions of a small frictional contact problem, by trying every combination of contact modes. Knows nothing of the
// solvers.
//
// In the plane each contact is open, sticking or slipping one way or the other; each of the 4^n choices turns Coulomb's law into
// linear equations, solved by LU, and linear inequalities, tested afterwards. A choice whose equations are dependent
// (hyperstatic) is handed to a linear program, which finds one admissible point or proves there is none.
#pragma once

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <CoinPackedVector.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

#include "moreau/law/delassus_block.hpp"
#include "moreau/solver/given/dense_problem.hpp"

namespace moreau::oracle {

enum class Mode { open, stick, slip_forward, slip_backward };  // forward: w_T >= 0, hence P_T = -mu P_N

struct ModeSolution {
  std::vector<Mode> modes;
  Eigen::VectorXd impulse, velocity;
};

inline std::vector<Mode> modes_of(int code, int contacts) {
  std::vector<Mode> modes(contacts);
  for (auto& mode : modes) mode = static_cast<Mode>(code % 4), code /= 4;
  return modes;
}

// Rows of `equations` P = `right` and of `inequalities` P >= `bound` that a choice of modes means.
struct ModeSystem {
  Eigen::MatrixXd equations, inequalities;
  Eigen::VectorXd right, bound;
};

inline ModeSystem mode_system(const DenseProblem& problem, const std::vector<Mode>& modes) {
  const int n = problem.contacts(), size = 2 * n;
  ModeSystem s{Eigen::MatrixXd::Zero(size, size), Eigen::MatrixXd::Zero(size, size), Eigen::VectorXd::Zero(size),
               Eigen::VectorXd::Zero(size)};
  for (int a = 0; a < n; ++a) {
    const int N = 2 * a, T = N + 1;
    const double mu = problem.friction[a], sign = modes[a] == Mode::slip_forward ? 1.0 : -1.0;
    if (modes[a] == Mode::open) {  // P = 0, w_N >= 0
      s.equations(N, N) = s.equations(T, T) = 1.0;
      s.inequalities.row(N) = problem.delassus.row(N);
      s.bound[N] = -problem.free[N];
      continue;
    }
    s.equations.row(N) = problem.delassus.row(N);  // w_N = 0
    s.right[N] = -problem.free[N];
    if (modes[a] == Mode::stick) {  // w_T = 0, mu P_N +- P_T >= 0
      s.equations.row(T) = problem.delassus.row(T);
      s.right[T] = -problem.free[T];
      s.inequalities(N, N) = s.inequalities(T, N) = mu;
      s.inequalities(N, T) = 1.0;
      s.inequalities(T, T) = -1.0;
      if (mu == 0.0)
        s.inequalities(N, N) = 1.0, s.inequalities(N, T) = 0.0, s.equations.row(T).setZero(), s.equations(T, T) = 1.0,
                          s.right[T] = 0.0;
    } else {  // P_T = -sign mu P_N, P_N >= 0, sign w_T >= 0
      s.equations(T, T) = 1.0;
      s.equations(T, N) = sign * mu;
      s.inequalities(N, N) = 1.0;
      s.inequalities.row(T) = sign * problem.delassus.row(T);
      s.bound[T] = -sign * problem.free[T];
    }
  }
  return s;
}

// One point of {P : equations P = right, inequalities P >= bound}; false if there is none. COIN-OR CLP, primal simplex: its dual
// simplex calls such programs, all columns free and rows dependent, infeasible when they are not.
inline bool feasible_point(const ModeSystem& s, double slack, Eigen::VectorXd& point) {
  const int size = static_cast<int>(s.right.size());
  Eigen::MatrixXd rows(2 * size, size);
  rows << s.equations, s.inequalities;
  std::vector<double> lower(2 * size), upper(2 * size), column_lower(size, -COIN_DBL_MAX), column_upper(size, COIN_DBL_MAX);
  CoinPackedMatrix matrix(true, 0, 0);
  matrix.setDimensions(2 * size, 0);
  for (int j = 0; j < size; ++j) {
    CoinPackedVector column;
    for (int i = 0; i < 2 * size; ++i)
      if (rows(i, j) != 0.0) column.insert(i, rows(i, j));
    matrix.appendCol(column);
  }
  for (int i = 0; i < size; ++i) {
    lower[i] = s.right[i] - slack, upper[i] = s.right[i] + slack;
    lower[size + i] = s.bound[i] - slack, upper[size + i] = COIN_DBL_MAX;
  }
  ClpSimplex program;
  program.setLogLevel(0);
  program.setPrimalTolerance(1e-10);
  program.loadProblem(matrix, column_lower.data(), column_upper.data(), nullptr, lower.data(), upper.data());
  program.primal();
  if (!program.isProvenOptimal()) return false;
  point = Eigen::Map<const Eigen::VectorXd>(program.primalColumnSolution(), size);
  const Eigen::VectorXd error = s.equations * point - s.right;  // at most the slack; removed by the smallest change of P
  point -= s.equations.completeOrthogonalDecomposition().solve(error);
  return true;
}

// All distinct solutions (one per feasible choice of modes; two choices meeting in the same point count once), n <= 4.
// tolerance: relative slack of the inequalities, against the largest velocity or impulse of the candidate.
inline std::vector<ModeSolution> enumerate_solutions(const DenseProblem& problem, double tolerance = 1e-9) {
  std::vector<ModeSolution> found;
  const int n = problem.contacts();
  for (int code = 0; code < (1 << (2 * n)); ++code) {
    ModeSolution candidate{modes_of(code, n), {}, {}};
    const ModeSystem s = mode_system(problem, candidate.modes);
    Eigen::FullPivLU<Eigen::MatrixXd> lu(s.equations);
    lu.setThreshold(1e-11);
    const double velocity_scale = std::max(problem.free.cwiseAbs().maxCoeff(), 1e-300);
    if (lu.isInvertible()) {
      candidate.impulse = lu.solve(s.right);
      const double scale = std::max(
          velocity_scale, candidate.impulse.cwiseAbs().maxCoeff() * std::max(1.0, problem.delassus.cwiseAbs().maxCoeff()));
      if (((s.inequalities * candidate.impulse - s.bound).array() < -tolerance * scale).any()) continue;
    } else if (!feasible_point(s, tolerance * velocity_scale, candidate.impulse)) {
      continue;
    }
    candidate.velocity = problem.velocity(candidate.impulse);
    bool known = false;
    for (const auto& other : found)
      known = known || (other.impulse - candidate.impulse).norm() <= 1e3 * tolerance * (1e-300 + candidate.impulse.norm());
    if (!known) found.push_back(candidate);
  }
  return found;
}

// All solutions of one contact in space. The slip direction d (P_T = mu P_N d) is searched on the circle: with
// m(d) = H_NN + mu k.d and P_N = -v_N / m, sliding needs w_T parallel to d, i.e. a zero of
//   F(d) = d x (m v_T - v_N (k + mu H_TT d)),
// a trigonometric polynomial with at most 4 roots; then P_N > 0 and w_T.d <= 0 select the solutions.
inline std::vector<Vec<3>> enumerate_one_contact(const Vec<3>& v, const DelassusBlock<3>& H, double mu, int directions = 2000) {
  std::vector<Vec<3>> found;
  if (v[0] >= 0.0) found.push_back({});
  const auto impulse_at = [&](double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    const double normal = -v[0] / (H.c[0][0] + mu * (H.c[0][1] * c + H.c[0][2] * s));
    return Vec<3>{{normal, mu * normal * c, mu * normal * s}};
  };
  const auto F = [&](double angle) {
    const double c = std::cos(angle), s = std::sin(angle), m = H.c[0][0] + mu * (H.c[0][1] * c + H.c[0][2] * s);
    const double x = m * v[1] - v[0] * (H.c[1][0] + mu * (H.c[1][1] * c + H.c[1][2] * s));
    const double y = m * v[2] - v[0] * (H.c[2][0] + mu * (H.c[2][1] * c + H.c[2][2] * s));
    return c * y - s * x;
  };
  Eigen::Matrix3d h;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) h(i, j) = H.c[i][j];
  const Eigen::Vector3d stick = -h.ldlt().solve(Eigen::Vector3d(v[0], v[1], v[2]));
  if (stick[0] >= 0.0 && std::hypot(stick[1], stick[2]) <= mu * stick[0]) found.push_back({{stick[0], stick[1], stick[2]}});
  const double step = 2.0 * M_PI / directions;
  for (int i = 0; i < directions; ++i) {
    double low = i * step, high = low + step;
    const double f_low = F(low);
    if (f_low * F(high) > 0.0) continue;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (f_low * F(middle) > 0.0 ? low : high) = middle;
    }
    const Vec<3> p = impulse_at(low), w = v + H * p;
    if (p[0] > 0.0 && w[1] * p[1] + w[2] * p[2] <= 0.0) found.push_back(p);
  }
  return found;
}

}  // namespace moreau::oracle
