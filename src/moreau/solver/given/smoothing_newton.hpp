// The continuation in the rounding of the law, for the solver of that name and for those that call it.
#pragma once

#include "moreau/solver/given/local_solver.hpp"

namespace moreau::inline solver {

// Follows the path from its beginning; `impulse` becomes the best point met. Returns the number of factorisations.
int smoothing_path(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, Eigen::VectorXd& impulse);

}  // namespace moreau::inline solver
