// A joint of mortar (Mohr and Coulomb): while it is intact, forces of a contact point satisfy
//
//   f_N >= -tension,     |f_T| <= cohesion + mu f_N,        0 <= mu tension <= cohesion
//
// and it breaks for good at the end of the first step in which it opens or slides, at the border of this domain. What is left is
// the law of the surfaces alone. The last impulse of a joint is thus at most h times its strength.
//
//      f_T |        ___--- cohesion + mu f_N
//          |  ___---
//          |--|
//     -----+--+---------------- f_N
//    -tension 0
//
// Seen from the tip of the tension, P'_N = P_N + h tension >= 0 and |P_T| <= h (cohesion - mu tension) + mu P'_N: Signorini and a
// bound on the tangent (tangent_bound.hpp), with the impulse shifted. Tested in tests/law/step_law_test.cpp.
#pragma once

namespace moreau::inline law {

struct MortarJoint {
  double cohesion = 0.0;   // [force] >= 0
  double tension = 0.0;    // [force] in [0, cohesion / friction]
  double bonded_at = 0.0;  // [time] the contacts that exist in the step that holds this instant are joined

  bool operator==(const MortarJoint&) const = default;
  bool exists() const { return cohesion > 0.0 || tension > 0.0; }
};

}  // namespace moreau::inline law
