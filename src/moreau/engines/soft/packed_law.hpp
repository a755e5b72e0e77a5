// The laws between materials as the soft engine multiplies with them.
#pragma once

#include <vector>

#include "moreau/engines/soft/contact_force.hpp"
#include "moreau/law/pair_law.hpp"
#include "moreau/law/soft_law.hpp"

namespace moreau::soft {

// g = damping sqrt(m) with m the reduced mass of the pair: 2 zeta sqrt(k m).
struct PackedLaw {
  double stiffness, unloading, ratio, compliance, damping, tangential, tangential_compliance, tangential_damping, friction;
};

inline PackedLaw packed(const PairLaw& law, const SoftLaw& s) {
  const double unloading = s.remembers_depth() ? s.unloading_stiffness : s.stiffness;
  const double tangential = law.friction > 0.0 ? s.tangential_stiffness : 0.0;
  return {s.stiffness,
          unloading,
          s.stiffness / unloading,
          1.0 / unloading,
          2.0 * s.damping_ratio * std::sqrt(s.stiffness),
          tangential,
          tangential > 0.0 ? 1.0 / tangential : 0.0,
          2.0 * s.tangential_damping_ratio * std::sqrt(tangential),
          law.friction};
}

// What some law asks for.
struct SoftNeeds {
  Tangential tangential = Tangential::none;
  bool deepest = false;
};
inline SoftNeeds soft_needs(const std::vector<PairLaw>& laws, const std::vector<SoftLaw>& soft) {
  SoftNeeds needs;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    needs.deepest = needs.deepest || soft[i].remembers_depth();
    if (!(laws[i].friction > 0.0)) continue;
    const Tangential asked = soft[i].tangential_damping_ratio > 0.0 ? Tangential::spring_and_dashpot : Tangential::spring;
    needs.tangential = std::max(needs.tangential, asked);
  }
  return needs;
}

// From the reduced mass of the pair, by its root.
template <class Real>
MOREAU_INLINE Coefficients<Real> with_mass(Coefficients<Real> c, const Real& root) {
  c.damping *= root, c.tangential_damping *= root;
  return c;
}

}  // namespace moreau::soft
