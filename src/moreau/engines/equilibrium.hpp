// The one-step equilibrium test (Moreau 2004, sec. 6.2): start from rest; if the step ends at rest, the position is a possible
// equilibrium and the impulses divided by h are forces that maintain it.
//
// Sweeps may end in another solution, or in none, where one at rest exists. Before the answer is no, the problem of the step is
// given to the solvers of `moreau solve` as well, one after the other, and to a program for forces that balance; where one of
// them finds impulses that leave all at rest, the step is made again from these, and it decides.
//
// Before the answer is yes, the forces are looked for once more without the corners that blocks would pass each other by
// (statics/corners.hpp): the stones of a thin dome are held by the edges along which four of them meet, and fall.
#pragma once

#include <string>

#include "moreau/engines/simulation.hpp"

namespace moreau::inline engines {

template <int D>
struct EquilibriumReport {
  bool possible = false;
  double max_speed = 0.0;       // [velocity] largest velocity reached in the step, rim speeds included
  double velocity_scale = 0.0;  // h |g|, or without gravity the velocity scale of the contact impulses
  bool passes = false;          // forces are there, but at corners that the motion passes: not possible
  // Why less was looked into than says the head of this file: where possible, corners were not judged; else no other solver was
  // asked. Empty: nothing was left out.
  std::string unjudged;
  std::string solver = "step";  // that found the forces: that of the step, or one of solver/given/local_solver.hpp
  StepReport step;
  ContactRecords<D> forces;
};

// Possible iff max_speed <= tolerance * velocity_scale. Touching is understood up to a millionth of the smallest radius, and the
// step is solved to a tenth of `tolerance`. Recalled impulses are the starting point: with friction the answer may depend on
// them.
template <int D>
EquilibriumReport<D> test_equilibrium(Model<D> model, State<D> state, double tolerance = 1e-3);

}  // namespace moreau::inline engines
