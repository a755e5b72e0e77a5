// The engines by name (docs/engines.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace moreau::inline dynamics {

enum class EngineKind : std::uint8_t {
  rigid,         // Contact Dynamics: impenetrability and Coulomb's law exact, implicit in velocity
  quasi_static,  // geometric method: rigid round bodies without friction, from equilibrium to equilibrium
  soft,          // molecular dynamics: contacts are springs and dashpots, explicit in time
  lubricated,    // no inertia: rigid round bodies separated by films of a viscous fluid
  elastic,       // statics of a list of contacts that are springs with sliders, load by load
};

// Whether its contacts are springs, which overlap by what they bear.
inline constexpr bool contacts_yield(EngineKind kind) { return kind == EngineKind::soft || kind == EngineKind::elastic; }

// As a scene names them, in the order of the kinds.
inline const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names{"rigid", "quasi-static", "soft", "lubricated", "elastic"};
  return names;
}

}  // namespace moreau::inline dynamics
