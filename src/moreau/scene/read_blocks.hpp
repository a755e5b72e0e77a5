// The entries of a scene that make blocks: `[[block]]`, `[[arch]]`, `[[brickwork]]`, and `[[blocks]]` to generate.
#pragma once

#include "moreau/scene/read_grains.hpp"

namespace moreau {

// Appends the blocks to the bodies of the scene, their entries to `entries.blocks`, and groups to `entries.groups`. Comes after
// read_grains: blocks follow the listed grains.
template <int D>
void read_blocks(TableReader& root, Scene<D>& scene, SceneNames& names, const std::optional<Region<D>>& box,
                 const SceneLimits& limits, NamedFiles& files, GrainEntries<D>& entries);

// `[[arch]]`: voussoirs of a circular arch, in space of a barrel vault.
template <int D>
void read_arch(TableReader& entry, Scene<D>& scene, SceneNames& names, const SceneLimits& limits, std::vector<Entry>& entries);

// `[[brickwork]]`: a wall of bricks in running bond, with openings.
template <int D>
void read_brickwork(TableReader& entry, Scene<D>& scene, SceneNames& names, const SceneLimits& limits,
                    std::vector<Entry>& entries);

}  // namespace moreau
