// Conic programs:  minimise c . x  subject to  A x = b,  x in a product of half lines and second-order cones.
//
// Primal-dual interior points on the homogeneous self-dual embedding with the scaling of Nesterov and Todd and Mehrotra's
// corrector (Vandenberghe 2010, "The CVXOPT linear and quadratic cone program solvers", without its inequality form). It ends
// with an optimum, with y that proves that no x exists (A^T y in -K*, b . y > 0), or with a direction along which c . x falls
// without end (A x = 0, x in K, c . x < 0); each is checked on what is returned. Rows of A may depend on one another.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "moreau/solver/stopwatch.hpp"

namespace moreau::diagnosis {

enum class Found { optimum, nothing, unbounded, failed };  // failed: no answer, for want of time or digits

struct ConicProblem {
  Eigen::SparseMatrix<double> A;
  Eigen::VectorXd b, c;
  std::vector<int> cones;  // components of each cone, one after another: 1 is x >= 0, more is |x_1 ..| <= x_0
};

struct ConicOptimum {
  Found found = Found::failed;
  double value = 0.0, bound = 0.0;  // c . x, and b . y <= optimum
  Eigen::VectorXd x;                // `unbounded`: the direction, c . x = -1
  Eigen::VectorXd y;  // of the dual program; `nothing`: the proof of it, b . y > 0; may be empty where there is no optimum
};

ConicOptimum solve_conic(const ConicProblem& problem, const Stopwatch& watch);

}  // namespace moreau::diagnosis
