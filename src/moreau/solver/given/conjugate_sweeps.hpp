// The sweeps with conjugate directions, for the solver of that name and for those that begin with it.
#pragma once

#include "moreau/solver/given/local_solver.hpp"

namespace moreau::inline solver {

// True if the tolerance was reached. patience > 0: gives up when more than so many further sweeps are expected; 0: never.
bool conjugate_sweeps(const LocalProblem& problem, const LocalSettings& settings, int patience, const Stopwatch& watch,
                      Eigen::VectorXd& impulse, int& sweeps);

}  // namespace moreau::inline solver
