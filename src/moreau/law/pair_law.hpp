// Coefficients of the contact law between two materials.
#pragma once

namespace moreau {

struct PairLaw {
  double friction = 0.0;                // Coulomb's coefficient, >= 0; 0 is the frictionless law
  double normal_restitution = 0.0;      // rho in [0, 1]
  double tangential_restitution = 0.0;  // tau in [0, 1]
};

}  // namespace moreau
