// The steps of the proximal Newton method, for the solver of that name and for those that finish with it.
#pragma once

#include "moreau/solver/given/local_solver.hpp"

namespace moreau::inline solver {

struct NewtonSettings {
  double tolerance = 1e-8;  // of NaturalError::relative
  int max_steps = 100000;   // factorisations
  double alpha = 1e-4;      // first proximal coefficient, over the largest mean diagonal of a block
};

struct NewtonOutcome {
  int steps = 0;
  double error = 0.0;  // LocalCertificate::error of the impulses returned, the best met
  double alpha = 0.0;  // last proximal coefficient, as in NewtonSettings: to go on with
};

NewtonOutcome newton_steps(const LocalProblem& problem, const NewtonSettings& settings, const Stopwatch& watch,
                           Eigen::VectorXd& impulse);

}  // namespace moreau::inline solver
