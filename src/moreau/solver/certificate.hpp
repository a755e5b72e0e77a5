// What is known about a solution once the solver has stopped. Residuals are measured on the final iterate.
#pragma once

namespace moreau {

struct Certificate {
  // Law residual of a contact: the velocity H (P - P*), where P* solves the one-contact problem with all other impulses as they
  // are. It vanishes if and only if the contact law holds exactly.
  double residual_rms = 0.0;    // [velocity]
  double residual_max = 0.0;    // [velocity]
  double velocity_scale = 0.0;  // [velocity] rms of H_N P_N over contacts, or of h |A^-1 F| over bodies if larger
  double relative_residual() const { return velocity_scale > 0.0 ? residual_rms / velocity_scale : 0.0; }

  // Momentum that the remaining sweeps would still bring, extrapolated from the last ones, over the momentum brought by the
  // contacts (kinetic norm).
  double unbalanced = 0.0;

  int sweeps = 0;
  bool converged = true;
  bool unbounded = false;  // impulses grow from sweep to sweep while the residual does not fall: no bounded solution in sight
};

}  // namespace moreau
