// What is known about a candidate solution r of a LocalProblem, computed from r alone, whatever solver it came from.
#pragma once

#include "moreau/solver/local_problem.hpp"

namespace moreau {

struct LocalCertificate {
  // Natural map F(r) = r - P_K(r - (u + mu |u_T| n)), u = W r + q, 2-norm over all contacts: the measure of the FCLIB collection.
  // It mixes impulses and velocities and so depends on units, but is what published comparisons use.
  double error = 0.0;            // |F| / max(|q|, |r|, |u|); "solved to t" means error <= t
  double error_over_free = 0.0;  // |F| / |q|

  // Ours, per contact, in the units of the law (law/residual.hpp): largest value over the contacts, and where.
  double residual = 0.0;      // [velocity] natural residual with the compliance of the contact (trace of its block)
  int residual_contact = -1;  // contact with the largest residual; -1 when there is none
  double velocity_scale =
      0.0;                // [velocity] largest of |q_a| and (trace of the block) |r_a|: what the residual is to be compared with
  double approach = 0.0;  // [velocity] max(0, -u_N)
  double cone = 0.0;      // [impulse] distance of r to the friction cone
  double power = 0.0;     // [energy] |u.r + mu |u_T| r_N|
  int open = 0, stick = 0, slide = 0;  // contacts by status: r = 0; r inside the cone; r on its mantle (to 1e-9 of r_N)

  double relative_residual() const { return velocity_scale > 0.0 ? residual / velocity_scale : 0.0; }
};

struct NaturalError {
  double absolute = 0.0, relative = 0.0, over_free = 0.0;
};

// `velocity` must be W r + q.
NaturalError natural_error(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity);
LocalCertificate certify(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity);

}  // namespace moreau
