// The iteration of the alternating direction method, kept alive between calls so that other solvers may take turns with it.
#pragma once

#include <memory>

#include "moreau/solver/given/local_solver.hpp"

namespace moreau::inline solver {

class Admm {
 public:
  explicit Admm(const LocalProblem& problem);
  ~Admm();

  void start(const Eigen::VectorXd& impulse);  // from these impulses; the multiplier is taken from their velocities
  // At most so many further iterations; true if the error fell to the tolerance.
  bool run(int iterations, double tolerance, const Stopwatch& watch);
  int iterations() const;
  double error() const;                 // least met since the start
  const Eigen::VectorXd& last() const;  // where it is now
  const Eigen::VectorXd& best() const;  // where it was met

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace moreau::inline solver
