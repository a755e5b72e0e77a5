// A limit of velocity Verlet with tangential springs, which are extended by predicted velocities (contact_force.hpp): a motion of
// frequency omega that only such springs hold grows by the factor 1 + 0.13 (omega h)^4 per step, slowly, unless tangential
// dashpots take more: (omega h)^3 <= zeta_t / 0.13, zeta_t the damping ratio of that motion. Gear's scheme has no such growth.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "moreau/dynamics/model.hpp"
#include "moreau/engines/soft/critical_step.hpp"

namespace moreau::soft {

// The sentence with which long runs of such a model are refused; empty if there is no need.
template <int D>
std::string growth_refusal(const Model<D>& model, const Bodies<D>& bodies) {
  if (model.soft.integrator != Integrator::verlet) return {};
  constexpr double growth = 0.13;
  const double omega = critical_step(model, bodies).frequency;
  for (std::size_t i = 0; i < model.pair_laws.size(); ++i) {
    const SoftLaw& law = model.soft_laws[i];
    if (!(model.pair_laws[i].friction > 0.0) || !(law.tangential_stiffness > 0.0)) continue;
    // Of the fastest motion: zeta_t sqrt(m / k_t) omega, with omega sqrt(m / k_t) at least 1.
    if (const double phase = omega * model.time_step; growth * phase * phase * phase > law.tangential_damping_ratio)
      return fmt::format(
          "integrator \"verlet\" lets tangential springs oscillate ever more with tangential_damping_ratio {:.3g} and "
          "this time step; accepted: at least {:.3g}, or integrator = \"gear\"",
          law.tangential_damping_ratio, growth * phase * phase * phase);
  }
  return {};
}

}  // namespace moreau::soft
