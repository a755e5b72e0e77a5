// What can be said about a contact problem beyond a solution of it (Alart 2015): whether it has one, whether its impulses are
// determined, and by how much one of them may vary.
//
// Everything hangs on impulses d in the friction cones that balance at every body, W d = 0. Let p(d) = q . d, the power of the
// given velocities on d, with sum d_N = 1:
//   no such d, or p > 0 for all      a solution exists and the impulses are bounded (Acary, Cadoux, Lemarechal and Malick 2011)
//   p(d) < 0 with d normal only      no solution: no velocity of the bodies keeps the contacts from closing
//   p(d) < 0                         a wedge: impulses may grow along d without bound, and no solution is assured; in the plane
//                                    the modes of the contacts are searched for one, in space those of a few contacts
#pragma once

#include "moreau/diagnosis/cone_program.hpp"
#include "moreau/diagnosis/contact_modes.hpp"
#include "moreau/diagnosis/isolated_solutions.hpp"

namespace moreau::diagnosis {

struct Wedge {
  Found found = Found::failed;  // optimum: power is known; nothing: no d at all; failed: not known
  bool exists = false;          // power < 0
  double power = 0.0;           // least q . d over d with sum d_N = 1 [velocity]; infinite if there is no d at all
  Eigen::VectorXd impulse;      // d, where exists
  std::vector<int> contacts;    // those with d_N > 0
};

// `friction` of the problem may be set to zero to ask for squeezing by normal impulses alone.
Wedge find_wedge(const ConeProblem& problem, const Eigen::VectorXd& free, const Stopwatch& watch = Stopwatch());

struct Confinement {
  Existence existence = Existence::unknown;
  bool examined = false;  // false: more contacts than `limits` allows
  bool squeezed = false;  // proven by normal impulses alone
  Wedge wedge;
  IsolatedSolutions isolated;  // of small problems
};

struct ConfinementLimits {
  int contacts = 2000;        // larger problems are not examined
  int mode_programs = 20000;  // linear programs of the search of modes
};

// `balance`: matrix with the kernel of W (H of the global form, or W itself). `solved`: a solution is known.
Confinement examine(const LocalProblem& problem, const Eigen::SparseMatrix<double>& balance, bool solved,
                    const Stopwatch& watch = Stopwatch(), const ConfinementLimits& limits = {});

// All impulses that move the bodies like a given solution and obey the law with its velocities.
struct ForceSet {
  ConeProblem problem;
  int dimension = -1;  // 0: the impulses are unique; -1: not found
};
ForceSet force_set(const LocalProblem& problem, const Eigen::SparseMatrix<double>& balance, const Eigen::VectorXd& impulse,
                   const Eigen::VectorXd& velocity, double velocity_zero, const Stopwatch& watch = Stopwatch());

struct NormalRange {
  int contact = 0;
  double now = 0.0, least = 0.0, most = 0.0;  // `most` may be infinite: without bound; NaN where the program failed
};
std::vector<NormalRange> normal_ranges(const ConeProblem& set, const Eigen::VectorXd& impulse, const std::vector<int>& contacts,
                                       const Stopwatch& watch = Stopwatch());

}  // namespace moreau::diagnosis
