// Proof that a problem has no solution because its contacts are squeezed: normal impulses d >= 0 with
//
//   W d = 0  (they balance at every body),   q . d < 0
//
// Then d . u = d . (W r + q) = q . d < 0 whatever the impulses r are: no velocity of the bodies keeps all contacts from closing,
// with friction or without (Farkas' lemma; conversely, where there is no such d such velocities exist).
#pragma once

#include <optional>
#include <vector>

#include "moreau/solver/given/local_problem.hpp"
#include "moreau/solver/stopwatch.hpp"

namespace moreau::inline solver {

struct Squeeze {
  Eigen::VectorXd normal;     // d_N, one per contact, sum 1
  double power = 0.0;         // q . d [velocity] < 0: at every moment some contact of these closes at this speed or faster
  std::vector<int> contacts;  // those with d_N > 0
};

// d is checked before it is returned: impulses that undo q . d through the rounding left in W d would have to be 1e9 times what
// the largest velocity needs.
std::optional<Squeeze> proven_squeeze(const LocalProblem& problem, const Eigen::VectorXd& normal);

// Proximal points of the quadratic program of the normal impulses: where it has no bound, the way from one point to the next
// becomes a multiple of d. None: there is no squeeze, or it was not found in 30 points or in time.
std::optional<Squeeze> find_squeeze(const LocalProblem& problem, const Stopwatch& watch);

// Impulses beyond a hundred times what the largest given velocity needs at their contact: worth looking for a squeeze.
bool impulses_grow(const LocalProblem& problem, const Eigen::VectorXd& impulse);

}  // namespace moreau::inline solver
