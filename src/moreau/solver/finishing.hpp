// The solver that finishes a step where sweeps are slow: heavy bodies on light ones, deep stacks, masonry.
//
// Proximal point method over the impulses, each point found by Newton's method over the velocities. A point is the solution of
//   F(v) = M (v - v_free) - sum_c H_c target_c(P_c - rho_c U_c(v)) = 0
// where target is the law in the form of Alart and Curnier (contact_domain.hpp) and P_c the impulses of the point before; its
// impulses are the targets. Fixed points are the solutions of the step. The Jacobian
//   K = M + sum_c H_c (rho_c dtarget_c/dz) H_c^T
// is regular also where contacts are redundant (a joint of two bricks), and is a matrix over bodies: factors by blocks in an
// order found once (block_lu.hpp), the same bits on every machine. As rho grows a point is nearly the solution; it starts small,
// where statuses are found from impulses rather than from velocities, and grows from point to point.
#pragma once

#include <cmath>
#include <memory>

#include "moreau/solver/step_system.hpp"

namespace moreau::inline solver {

struct FinishingGoal {
  double residual = 0.0;   // [velocity] of the contact law, largest over the contacts, that is enough
  int factorisations = 0;  // at most
};

struct Finished {
  bool reached = false;
  double residual = 0.0;  // [velocity] of the impulses left in the system
  int factorisations = 0;
};

template <int D>
class Finisher {
 public:
  // Plans the factorisation; the system must outlive it. Of a plan of more than `most_work` no more is known.
  explicit Finisher(StepSystem<D>& system, double most_work = HUGE_VAL);
  ~Finisher();

  double work() const;  // multiplications of one factorisation
  // Replaces the impulses of the system if the goal is reached, or their residual at least halved; else leaves them. Where there
  // is no solution impulses grow without bound and the residual hardly falls.
  Finished finish(const FinishingGoal& goal);

 private:
  class Newton;
  StepSystem<D>& system_;
  std::unique_ptr<Newton> newton_;
};

// Largest law residual |H (P - P*)| of the impulses of the system [velocity].
template <int D>
double largest_residual(const StepSystem<D>& system);

}  // namespace moreau::inline solver
