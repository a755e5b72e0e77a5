// How far the velocities of an iterate are from those of the solution, estimated without knowing the solution.
//
// Notation: |.|_M kinetic norm, U = H^T v + b local velocities, D diagonal of H^T M^-1 H, P*_c the impulse that solves the law of
// contact c with all others as they are.
//
//   linear    What is missing if the statuses are those of P*: open impulses are dropped and sliding ones turned (dv0); then the
//             rows a that must vanish, all of a contact that sticks, the normal one of a contact that slides, by k steps of
//             Craig's method on A dv = -residual, A = D^-1/2 H_a^T M^-1/2:    L = sqrt(|dv0 + dv_k|_M^2 + (rho_k / sigma_k)^2)
//             with rho_k the residual that is left, sigma_k the least singular value met. It catches impulses that have not
//             arrived yet: heavy bodies on light ones, deep stacks. Where the rows contradict each other (a contact about to
//             change its status) least squares replace the solution: LSQR, with the tail |A^T res| / sigma^2, if that is less.
//   power     B^2 = sum_c max(0, P.(U + mu |U_T| n)) + |P| max(0, -U_N) / sqrt(1 + mu^2): what de Saxce's bipotential leaves.
//             It catches wrong statuses, which the linear part cannot see.
//   verified  V = |v~ - v|_M + B(v~, P~) of the corrected and projected impulses P~ = proj(P + dP).
//   error     min(max(L, B), V)                                                                                    [kinetic norm]
//   body      largest over the bodies of max(L / |dv|_M |dv_b|, min(sqrt(power of its contacts / m_b), 10 violation))  [velocity]
//             violation of a contact: its power over |P|
// The constants of the loops were found by comparing some forty candidates with solutions to 1e-12 (docs/theory.md).
#pragma once

#include "moreau/solver/step_system.hpp"

namespace moreau::inline solver {

struct ErrorEstimate {
  double kinetic_square = 0.0;  // of the error: squares of parts add up
  double body = 0.0;            // [velocity] of the worst body
  double caution = 0.0;         // [velocity] the same by power alone, hardly ever too small and often too large
  double sigma = 1.0;           // least singular value met: errors decay like exp(-sigma) per accelerated sweep
  std::int32_t worst_body = -1;
};

// Of one connected part, `steps` of Craig's method.
template <int D>
ErrorEstimate estimate_error(const StepSystem<D>& part, int steps);

}  // namespace moreau::inline solver
