// What the contact laws of a model ask for, and what a solved contact is under them.
#pragma once

#include <vector>

#include "moreau/contact/contact_status.hpp"
#include "moreau/law/friction_ellipse.hpp"
#include "moreau/law/step_law.hpp"

namespace moreau::inline engines {

struct LawNeeds {
  bool beyond = false;   // some law is not Coulomb's with constant coefficients
  bool bounded = false;  // ... and needs the general kind of problem (solver/general.hpp)
  bool rolls = false;    // ... with couples
};

inline LawNeeds law_needs(const std::vector<PairLaw>& laws) {
  LawNeeds needs;
  for (const PairLaw& law : laws) {
    needs.bounded = needs.bounded || law.bounded();
    needs.rolls = needs.rolls || law.rolls();
    needs.beyond = needs.beyond || law.bounded() || law.varies();
  }
  return needs;
}

template <int D>
inline ContactStatus status_under(const StepLaw& law, const Vec<3>& direction, const Vec<D>& impulse, const Vec<D>& n) {
  const double normal = dot(impulse, n), carried = normal + law.tension;
  const double tangent = ellipse_length(impulse - normal * n, n, direction, law.along);
  return status_within(carried, law.tension, tangent, law.bound().at(carried));
}

}  // namespace moreau::inline engines
