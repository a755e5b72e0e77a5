// Nonlinear Gauss-Seidel on a DenseProblem: contact after contact is solved exactly (full diagonal block), all others as they are
// (Moreau 2003, eqs. 41-42), by the relaxation of block_sweep.hpp; here with the stopping rules, orders and histories that the
// theory of small problems asks for. Cost of a sweep: the square of the number of rows. Tested in tests/solver/dense_*_test.cpp
// and in the tests named after classical problems beside them.
#pragma once

#include <vector>

#include "moreau/solver/given/dense_problem.hpp"

namespace moreau::inline solver {

enum class DenseStop {
  impulse,   // largest component of P_corrected - P_before over the sweep <= tolerance [impulse]            (Moreau 2004, sec. 6)
  velocity,  // largest |H_a (P_corrected - P_before)| over the contacts of the sweep <= tolerance [velocity]  (Moreau 2003, sec.
             // 7)
};

struct DenseSettings {
  DenseStop stop = DenseStop::velocity;
  double tolerance = 1e-12;   // absolute, in the unit of `stop`, > 0
  int max_sweeps = 10000;     // >= 1
  double relaxation = 1.0;    // omega in (0, 2): P <- P + omega (P* - P), brought back into the friction cone when omega > 1
  std::vector<int> order{};   // contacts in the order of the sweep; empty: 0, 1, 2, ...
  bool keep_history = false;  // fill DenseResult::change and ::magnitude
};

struct DenseResult {
  Eigen::VectorXd impulse;   // P
  Eigen::VectorXd velocity;  // q + W P, recomputed from the final P
  int sweeps = 0;
  bool converged = false;
  // Largest natural residual of Coulomb's law over the contacts [velocity], on the final pair; compliance = trace of the block.
  double residual = 0.0;
  // True when the sweep limit was reached and, over the second half of the sweeps, the sum of |P_a| grew in every sweep while the
  // last change was at least 99.9 % of the change half way: no bounded solution in sight (Alart 2015; Moreau 1994, 002:439).
  bool unbounded = false;
  std::vector<double> change;     // per sweep, in the unit of `stop`
  std::vector<double> magnitude;  // per sweep, sum over contacts of |P_a| [impulse]
};

// start: impulses to begin from (warm start), same size as problem.free, or empty for zero.
DenseResult solve_dense_gauss_seidel(const DenseProblem& problem, const DenseSettings& settings = {},
                                     const Eigen::VectorXd& start = {});

}  // namespace moreau::inline solver
