// A contact as the problem of the step is given it, in the laboratory frame: what depends on its kind is made of this when it is
// packed.
#pragma once

#include "moreau/geometry/vec.hpp"
#include "moreau/law/step_law.hpp"

namespace moreau::inline solver {

template <int D>
struct RigidContact {
  Vec<D> normal{};   // towards the first body
  Vec<D> arm_a{};    // from the centre of the first body to the contact
  Vec<D> arm_b{};    // same for the second (unused for an obstacle)
  Vec<D> impulse{};  // starting value, on the first body
  Vec<D> bias{};     // rho G_N u_i + (1 + rho) W_N along n, tau G_T u_i + (1 + tau) W_T across (Moreau 2003, sec. 7.3)
  double friction = 0.0;
  double compliance = 0.0;  // added to H: of the motions that the contact shares (shared_motion.hpp)
};

template <int D>
struct GeneralContact : RigidContact<D> {  // laws beyond Coulomb's
  StepLaw law;
  Vec<3> direction{};  // of the ellipse of friction (space only)
  double rolling = 0.0, pivoting = 0.0;
  double radius = 0.0;                // reduced radius, 0 between flat faces
  double turn_a = 0.0, turn_b = 0.0;  // reduced radius over the lengths of the bodies (solver_body.hpp)
  Spin<D> couple{};                   // starting value, on the first body
  Spin<D> spin_bias{};                // minus the spin of an obstacle
};

}  // namespace moreau::inline solver
