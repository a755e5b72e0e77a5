// The contact problem of one step written out as matrices, as files and accurate solvers take it:
//
//   M v = H r + f,    u = H^T v + w,    (u, r) on Coulomb's law at every contact
//
// v: velocity and spin of every free body, one body after the other. f = M (u_i + h g). w: the constant part of the formal
// velocity (restitution, motion of obstacles, closing gap), so that u is the formal velocity, not the one after the step.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "moreau/engines/rigid/step_view.hpp"
#include "moreau/solver/given/global_problem.hpp"

namespace moreau::inline engines {

struct StepProblem {
  GlobalProblem form;
  std::vector<std::int32_t> body;                   // of each part of v
  std::vector<std::array<std::int32_t, 2>> bodies;  // of each contact: a, b as in the contact table (walls negative)
  Eigen::VectorXd recalled, solved;                 // r with which the solver of the run began, and what it found
  Eigen::VectorXd velocity;                         // v that it found
  std::uint64_t step = 0;                           // number of the step, from 1
  double time = 0.0;                                // at its end
};

// Of a step that is solved, while the bodies still are where it began.
template <int D>
StepProblem step_problem(const StepView<D>& view);

// Why the steps of a model cannot be written so ("pistons, ..."): laws beyond Coulomb's cone, and motions shared by many
// contacts. Empty if they can.
template <int D>
std::string no_step_problem(const Model<D>& model);

}  // namespace moreau::inline engines
