// What is known about a solution once the solver has stopped. All of it is measured on the final iterate.
#pragma once

#include <cstdint>

namespace moreau::inline solver {

struct Certificate {
  // The velocity that everything is compared with: what forces bring to a body in the step (h |g|; what pistons and the cell
  // press with, over the mean mass), or the change of velocity that the contacts bring (root mean square over the mass), if
  // larger. Never an impulse over a mass: under a heavy body that would permit anything.
  double velocity_scale = 0.0;

  // Law residual of a contact: the velocity H (P - P*), where P* solves the one-contact problem with all other impulses as they
  // are. It vanishes if and only if the contact law holds exactly.
  double residual_rms = 0.0;  // [velocity]
  double residual_max = 0.0;  // [velocity]
  double relative_residual() const { return velocity_scale > 0.0 ? residual_rms / velocity_scale : 0.0; }

  // Momentum that the remaining sweeps would still bring, extrapolated from the last ones, over the root of the total mass and
  // the velocity scale (kinetic norm).
  double unbalanced = 0.0;

  // Estimated distance to the velocities of the solution (error_estimate.hpp), over the velocity scale: kinetic norm over the
  // root of the mass, and that of the worst body. Negative in steps that were not looked at.
  double error = -1.0;
  double body_error = -1.0;
  std::int32_t worst_body = -1;  // -1: not looked at, or no error

  int sweeps = 0;
  int factorisations = 0;         // of the finishing solver
  bool finishing_failed = false;  // for some part of many contacts
  bool converged = true;
  bool unbounded = false;  // impulses grow from sweep to sweep while the residual does not fall: no bounded solution in sight
};

}  // namespace moreau::inline solver
