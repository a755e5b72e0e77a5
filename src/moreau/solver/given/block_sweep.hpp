// One sweep of nonlinear Gauss-Seidel over a LocalProblem: contact after contact is solved exactly with all others as they are
// (Moreau 2003, eqs. 41-42). Velocities are summed afresh from the matrix, so nothing drifts. Cost: one product with W and one
// exact one-contact solution per contact that moves.
#pragma once

#include <memory>

#include "moreau/solver/given/local_problem.hpp"

namespace moreau::inline solver {

// Sums over the contacts of one sweep, each contact seen just before its own correction.
struct SweepMeasure {
  double free = 0.0;      // |q|^2
  double natural = 0.0;   // |r - P_K(r - u - mu |u_T| n)|^2
  double impulse = 0.0;   // |r|^2
  double velocity = 0.0;  // |u|^2
  double change = 0.0;    // |r_new - r|^2
  double moved = 0.0;     // [velocity] largest w_a |r_new - r|, w_a trace of the block: what was violated at the contact

  // Near what NaturalError::relative will be; exact only if nothing moved. `given`: given_velocity of the problem.
  double error(const LocalProblem& problem, double given) const;
};

class BlockSweep {
 public:
  explicit BlockSweep(const LocalProblem& problem);
  ~BlockSweep();
  BlockSweep(BlockSweep&&) noexcept;

  double given() const { return given_; }  // [velocity] largest |q_a|
  // relaxation: omega in (0, 2), r <- r + omega (r* - r), brought back into the cone when omega > 1.
  SweepMeasure forward(Eigen::VectorXd& impulse, double relaxation = 1.0) const;
  // One contact alone; returns the change of its impulse. D is the dimension of the problem.
  template <int D>
  Vec<D> relax(Eigen::VectorXd& impulse, int contact, double relaxation = 1.0) const;

 private:
  struct Laws;
  const LocalProblem& problem_;
  double given_ = 0.0;
  std::unique_ptr<Laws> laws_;
};

}  // namespace moreau::inline solver
