// The contact law of a [law] or [[pair]] entry (docs/laws.md).
#pragma once

#include "moreau/dynamics/model.hpp"
#include "moreau/scene/read/toml_reader.hpp"

namespace moreau::inline scene {

// Sequential shocks are between bodies that obey Coulomb's law; other laws are then refused. `per_area`: whether the strengths of
// the joint are stresses.
template <int D>
PairLaw read_law(TableReader& entry, ShockRule shocks, bool& per_area);

}  // namespace moreau::inline scene
