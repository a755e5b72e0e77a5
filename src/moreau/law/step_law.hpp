// The contact law in one step: coefficients for the speeds with which the step begins, strengths as impulses. Speeds are taken
// when the step begins, as the coefficients of restitution act on velocities known then (Moreau 1994, sec. 6: no difficulty in
// making all of them depend on circumstances). Tested in tests/law/step_law_test.cpp.
#pragma once

#include "moreau/law/pair_law.hpp"
#include "moreau/law/tangent_bound.hpp"

namespace moreau::inline law {

struct StepLaw {
  double friction = 0.0, normal_restitution = 0.0, tangential_restitution = 0.0;
  double tension = 0.0;   // [impulse] P_N >= -tension
  double shear = 0.0;     // [impulse]
  double cap = HUGE_VAL;  // [impulse]
  double along = 1.0;     // bound along the direction of anisotropy over the one for `friction`; across: 1 / along

  MOREAU_BOTH TangentBound bound() const { return {friction, shear, cap}; }  // in terms of P_N + tension
};

// Laws are PairLaw, or rows of it on a graphics card (gpu/law_row.hpp).
template <class Law>
MOREAU_BOTH double friction_at(const Law& law, double sliding) {
  if (law.static_speed > 0.0 && sliding <= law.static_speed) return law.static_friction;
  return law.friction_at_speed.empty() ? law.friction : law.friction_at_speed.at(sliding);
}

// `approach`: -U_N, `sliding`: |U_T| at the beginning of the step; h: time step; bonded: the joint, if any, is intact.
template <class Law>
MOREAU_BOTH StepLaw law_in_step(const Law& law, double approach, double sliding, double h, bool bonded) {
  StepLaw s;
  s.friction = friction_at(law, sliding);
  s.normal_restitution = law.restitution_at_speed.empty() ? law.normal_restitution : law.restitution_at_speed.at(approach);
  s.tangential_restitution = law.tangential_restitution;
  s.tension = h * law.cohesion;
  s.cap = h * law.friction_cap;
  if (bonded) {
    s.normal_restitution = s.tangential_restitution = 0.0;  // what is joined does not bounce
    s.tension += h * law.joint.tension;
    const double shear = h * (law.joint.cohesion - s.friction * law.joint.tension);
    s.shear = 0.0 < shear ? shear : 0.0;
  }
  if (law.cross_friction > 0.0) {  // an ellipse with the same area as the circle of `friction`
    const double across = law.cross_friction * s.friction / law.friction;
    s.along = std::sqrt(s.friction / across);
    s.friction = std::sqrt(s.friction * across);
  }
  return s;
}

// Cohesion acts where the surfaces touch; under the predictive rule contacts are known before they do. `smaller`: radius of the
// smaller body.
MOREAU_BOTH inline bool cohesion_reaches(double gap, double contact_distance, double smaller) {
  const double touching = 1e-5 * smaller;
  return !(gap > (contact_distance < touching ? touching : contact_distance));
}

}  // namespace moreau::inline law
