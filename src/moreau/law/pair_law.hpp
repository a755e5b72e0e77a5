// The contact law between two materials: Coulomb's coefficients, and what goes beyond them (docs/laws.md). Forces and speeds in
// the units of the scene; the values that hold in a step are in step_law.hpp.
#pragma once

#include <cmath>

#include "moreau/geometry/vec.hpp"
#include "moreau/law/joint.hpp"
#include "moreau/law/speed_table.hpp"

namespace moreau::inline law {

struct PairLaw {
  double friction = 0.0;                // Coulomb's coefficient, >= 0; 0 is the frictionless law
  double normal_restitution = 0.0;      // rho in [0, 1]
  double tangential_restitution = 0.0;  // tau in [0, 1]

  double static_friction = 0.0;       // instead of `friction` where the contact slides at most at static_speed; >= friction
  double static_speed = 0.0;          // [velocity] 0: no static friction
  SpeedTable friction_at_speed{};     // instead of `friction`; of the speed of sliding when the step begins
  SpeedTable restitution_at_speed{};  // instead of `normal_restitution`; of the speed of approach when the step begins

  double friction_cap = HUGE_VAL;  // Coulomb-Orowan: |f_T| <= min(mu f_N, cap) [force]
  double cohesion = 0.0;           // f_N >= -cohesion, |f_T| <= mu (f_N + cohesion), wherever there is a contact [force]
  MortarJoint joint{};

  double cross_friction = 0.0;  // across `direction`, along which `friction` holds; 0: the same everywhere
  Vec<3> friction_direction{};  // unit, laboratory frame (space only)

  double rolling = 0.0;   // |couple across n| <= rolling R f_N, R the reduced radius
  double pivoting = 0.0;  // |couple along n| <= pivoting R f_N (space only)

  // Coefficients that are not the same in every step.
  bool varies() const { return static_speed > 0.0 || !friction_at_speed.empty() || !restitution_at_speed.empty(); }
  bool rolls() const { return rolling > 0.0 || pivoting > 0.0; }
  bool operator==(const PairLaw&) const = default;
  // More than a cone |P_T| <= mu P_N.
  bool bounded() const { return friction_cap < HUGE_VAL || cohesion > 0.0 || joint.exists() || cross_friction > 0.0 || rolls(); }
};

}  // namespace moreau::inline law
