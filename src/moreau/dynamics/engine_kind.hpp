// The engines by name (docs/engines.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace moreau {

enum class EngineKind : std::uint8_t {
  rigid,         // Contact Dynamics: impenetrability and Coulomb's law exact, implicit in velocity
  quasi_static,  // geometric method: rigid round bodies without friction, from equilibrium to equilibrium
  soft,          // molecular dynamics: contacts are springs and dashpots, explicit in time
};

// As a scene names them, in the order of the kinds.
inline const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names{"rigid", "quasi-static", "soft"};
  return names;
}

}  // namespace moreau
