// What contacts that yield need: keys of a law, the table [soft], and the values that follow from others.
#pragma once

#include <optional>

#include "moreau/scene/read/toml_reader.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau::inline scene {

// Keys of a law; those that are not given stay as before, or are negative until settle_soft().
SoftLaw read_soft_law(TableReader& entry, const std::optional<SoftLaw>& before);

// The table [soft]; what is not given stays.
void read_soft(TableReader& root, SoftSettings& soft);

// Says, before settle_soft(), which keys no engine of the scene reads: springs where nothing yields, sequential shocks where nothing is rigid.
template <int D>
void warn_of_unread_keys(Scene<D>& scene);

// Once the bodies are there: stiffnesses from the level of stiffness, default dashpots and tangential springs.
template <int D>
void settle_soft(const Bodies<D>& bodies, Model<D>& model);

// Refuses a scene with a phase that names the soft engine and cannot be for it; a step that is too large together with the one that
// all its phases accept.
template <int D>
void check_soft(const Scene<D>& scene, const Mistakes& mistakes);

}  // namespace moreau::inline scene
