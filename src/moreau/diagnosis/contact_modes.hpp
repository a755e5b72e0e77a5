// Whether a contact problem in the plane has a solution at all, by trying the modes of its contacts (open, stick, slip to either
// side). A choice of modes makes the law linear; contacts not yet chosen obey u_N >= 0 and r in the cone, so that a linear
// program that finds nothing rules out all choices below it. Depth first, the contact that breaks its law most is chosen next.
#pragma once

#include "moreau/solver/given/local_problem.hpp"
#include "moreau/solver/stopwatch.hpp"

namespace moreau::diagnosis {

enum class Existence { solution, none, unknown };

struct ModeSearch {
  Existence existence = Existence::unknown;  // unknown: the limit was reached, or the time was up, or a program failed
  Eigen::VectorXd impulse;                   // of the solution found
  int programs = 0;                          // linear programs solved
};

ModeSearch search_modes(const LocalProblem& problem, int most_programs, const Stopwatch& watch = Stopwatch());

}  // namespace moreau::diagnosis
