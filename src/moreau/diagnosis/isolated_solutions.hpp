// All isolated solutions of a small problem, by trying every mode of its contacts. Coulomb's law is not associated: beside the
// solution that a solver finds there may be others that no path of impulses connects with it (Painleve's rod has three).
//
// Open: r = 0. Stick: u = 0. Slide: u_N = 0, r_T = -mu r_N t, u_T = s t with s >= 0. In the plane t is +1 or -1 and every choice
// of modes is one linear system: nothing is missed. In space t is an angle for every sliding contact; for given angles the system
// is linear, and Newton's method from a grid of angles makes u_T parallel to t: a search, not a proof.
#pragma once

#include <string>

#include "moreau/solver/given/local_problem.hpp"
#include "moreau/solver/stopwatch.hpp"

namespace moreau::diagnosis {

struct IsolatedSolution {
  Eigen::VectorXd impulse, velocity;
  std::string modes;  // one letter per contact: o open, k stick, s slide
};

struct IsolatedSolutions {
  bool searched = false;  // small enough, and time sufficed
  bool complete = false;  // nothing is missed: plane, and no choice of modes left impulses undetermined
  std::vector<IsolatedSolution> all;
};

inline constexpr int most_enumerated[4] = {0, 0, 6, 3};  // contacts, by dimension

IsolatedSolutions isolated_solutions(const LocalProblem& problem, const Stopwatch& watch);

}  // namespace moreau::diagnosis
