// The checkpoint of a run, checked against the scene it is to go on with: a scene.toml edited after the start may no longer fit
// it.
#pragma once

#include "moreau/scene/scene.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau {

// StoreError if there is none, or if bodies, contacts or sources in it refer to materials, motions, walls or sources the scene
// lacks.
template <int D>
Checkpoint<D> checkpoint_of(const RunFolder& folder, const Scene<D>& scene);

}  // namespace moreau
