// Contact problems that are not yet in local form, and their reduction to it.
//
// Global form, unknowns v (bodies or nodes), r (contacts), l (bilateral constraints, p of them, may be none):
//   M v = H r + G l + f,    G^T v + b = 0,    u = H^T v + w,    (u, r) on Coulomb's law
// Mixed local form, bilateral constraints kept beside the contacts:
//   u = W r + V l + q,    V^T r + R l + s = 0,    (u, r) on Coulomb's law
// Reduced: u = W' r + q' with the other unknowns eliminated; they are recovered from r afterwards.
#pragma once

#include <memory>
#include <optional>

#include "moreau/solver/given/component_inverse.hpp"
#include "moreau/solver/given/local_problem.hpp"

namespace moreau::inline solver {

struct GlobalProblem {
  int dimension = 3;
  Eigen::SparseMatrix<double> M, H, G;  // n x n, n x (dimension nc), n x p; G may be empty (0 x 0)
  Eigen::VectorXd f, w, b;              // n, dimension nc, p
  std::vector<double> friction;         // nc
};

struct MixedProblem {
  int dimension = 3;
  Eigen::SparseMatrix<double> W, V, R;  // V, R may be empty (0 x 0)
  Eigen::VectorXd q, s;
  std::vector<double> friction;
};

struct ReducedProblem {
  LocalProblem local;
  // From the impulses of a solution: velocities v of the global form (empty for the mixed form) and multipliers l (empty if
  // none).
  struct Rest {
    Eigen::VectorXd global_velocity, multiplier;
  };
  std::shared_ptr<const ComponentInverse> inverse;  // of [M -G; G^T 0], or of R; null if W was given alone
  Eigen::SparseMatrix<double> contact_columns;      // [H; 0], or V^T
  Eigen::VectorXd constant;                         // [f; -b], or s
  int global_size = 0;                              // n; 0 for the mixed form
  Rest rest(const Eigen::VectorXd& impulse) const;
};

// None when M (with G), or R, is singular.
std::optional<ReducedProblem> reduce(const GlobalProblem& problem);
std::optional<ReducedProblem> reduce(const MixedProblem& problem);

}  // namespace moreau::inline solver
