// A run that begins where another has come to: its bodies, contacts, walls and cell as they are there, its time going on, and the
// phases of another scene from here on.
#pragma once

#include "moreau/scene/scene.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau::inline runner {

// StoreError if the scene does not have the walls, pistons, motions and sources of the other run's, or lacks materials of it: by
// name and in their order, since bodies and contacts know them by number.
template <int D>
Checkpoint<D> begun_from(const RunFolder& other, const Scene<D>& before, const Scene<D>& scene);

}  // namespace moreau::inline runner
