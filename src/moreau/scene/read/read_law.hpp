// The contact law of a [law] or [[pair]] entry (docs/laws.md).
#pragma once

#include <optional>

#include "moreau/dynamics/model.hpp"
#include "moreau/scene/read/toml_reader.hpp"

namespace moreau::inline scene {

// All that holds between two materials.
struct ContactLaw {
  PairLaw rigid;
  SoftLaw soft;
  bool per_area = false;  // the strengths of the joint are stresses

  bool operator==(const ContactLaw&) const = default;
};

// `before` is what held before the phase to which the entry belongs: keys that it does not name stay. Without it, of a scene,
// they have their defaults. Sequential shocks are between bodies that obey Coulomb's law; other laws are then refused.
template <int D>
ContactLaw read_law(TableReader& entry, ShockRule shocks, const std::optional<ContactLaw>& before);

}  // namespace moreau::inline scene
