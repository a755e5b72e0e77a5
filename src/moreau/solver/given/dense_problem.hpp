// A small contact problem written out in full: the Delassus matrix of all contacts. For theory, diagnostics and tests (tens of
// contacts); packings use the matrix-free solver, which never forms this matrix.
//
//   w = q + W P,   (w_a, P_a) on Coulomb's law for every contact a            (Alart 2015, sec. 2; Moreau 1994, eqs. 7.1-7.2)
//
// Component order: contact by contact, normal first, then the tangent(s).
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "moreau/solver/given/local_problem.hpp"

namespace moreau::inline solver {

struct DenseProblem {
  int dimension = 2;             // components per contact, 2 or 3
  Eigen::MatrixXd delassus;      // W [1/mass], symmetric, positive semi-definite, every diagonal block positive definite
  Eigen::VectorXd free;          // q [velocity]: formal velocities if all impulses were zero
  std::vector<double> friction;  // one coefficient >= 0 per contact

  int contacts() const { return static_cast<int>(friction.size()); }
  Eigen::VectorXd velocity(const Eigen::VectorXd& impulse) const { return free + delassus * impulse; }
};

// The same problem as the solvers of given matrices take it (local_solver.hpp).
inline LocalProblem local_problem(const DenseProblem& problem) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = problem.delassus.sparseView(0.0, 0.0);
  return {block_matrix(sparse, problem.dimension), problem.free, problem.friction};
}

}  // namespace moreau::inline solver
