// The entries of a scene that make blocks: `[[block]]`, `[[arch]]`, `[[brickwork]]`, and `[[blocks]]` to generate.
#pragma once

#include "moreau/scene/read/read_grains.hpp"

namespace moreau::inline scene {

// Appends the blocks to the bodies of the scene, their entries to `entries.blocks`, and groups to `entries.groups`. Comes after
// read_grains: blocks follow the listed grains.
template <int D>
void read_blocks(TableReader& root, Scene<D>& scene, SceneNames& names, const std::optional<SceneRegion<D>>& box,
                 const SceneLimits& limits, NamedFiles& files, GrainEntries<D>& entries);

// `[[arch]]`: voussoirs of a circular, pointed, elliptic or flat arch, in space of a barrel vault.
template <int D>
void read_arch(TableReader& entry, Scene<D>& scene, SceneNames& names, const SceneLimits& limits, std::vector<Entry>& entries);

// `[[brickwork]]`: a wall of bricks in running, header or English bond, of one or several leaves, with openings.
template <int D>
void read_brickwork(TableReader& entry, Scene<D>& scene, SceneNames& names, const SceneLimits& limits,
                    std::vector<Entry>& entries);

// `[[stones]]`: blocks whose corners a file gives.
template <int D>
void read_stones(TableReader& entry, Scene<D>& scene, SceneNames& names, const SceneLimits& limits, NamedFiles& files,
                 std::vector<Entry>& entries);

// `[[rubble]]`: random stones that fill a box. `number`: of its random stream.
template <int D>
void read_rubble(TableReader& entry, std::size_t number, Scene<D>& scene, SceneNames& names, const SceneLimits& limits,
                 std::vector<Entry>& entries);

// `[[nave]]`: two walls with buttresses and the arch between them.
template <int D>
void read_nave(TableReader& entry, Scene<D>& scene, SceneNames& names, const SceneLimits& limits, std::vector<Entry>& entries);

// In space: `[[dome]]`, with an oculus or on pendentives; `[[vault]]`, where two barrels cross; `[[tower]]`, square or round.
void read_dome(TableReader& entry, Scene<3>& scene, SceneNames& names, const SceneLimits& limits, std::vector<Entry>& entries);
void read_vault(TableReader& entry, Scene<3>& scene, SceneNames& names, const SceneLimits& limits, std::vector<Entry>& entries);
void read_tower(TableReader& entry, Scene<3>& scene, SceneNames& names, const SceneLimits& limits, std::vector<Entry>& entries);

}  // namespace moreau::inline scene
