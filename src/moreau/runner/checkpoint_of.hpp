// The checkpoint and the frames of a run, checked against the scene they are to be used with: a scene.toml edited after the start
// may no longer fit them, or fit and mean something else.
#pragma once

#include "moreau/scene/scene.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau::inline runner {

enum class SceneChange { refused, accepted };

// StoreError if there is none; if bodies, contacts or sources in it refer to materials, motions, walls or sources the scene
// lacks; and, unless that is accepted, if the scene is not the one with which it was computed.
template <int D>
Checkpoint<D> checkpoint_of(const RunFolder& folder, const Scene<D>& scene, SceneChange change = SceneChange::refused);

// The same for a frame. One from before a change of the scene that the checkpoint has accepted is good.
template <int D>
Frame<D> frame_of(const RunFolder& folder, const Scene<D>& scene, std::uint64_t number);

// For those who take neither, but series, measures or the summary: StoreError if the scene is not the one with which the newest
// checkpoint was computed.
void demand_unchanged(const RunFolder& folder);

// The scene is not the one with which a file of this signature was computed. Old files do not say.
bool is_changed(const RunFolder& folder, const Signature& signature);

}  // namespace moreau::inline runner
