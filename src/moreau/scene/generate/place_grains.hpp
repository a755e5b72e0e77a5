// From entries to bodies: refuses overlaps among what is listed, then lays floors and generates groups around it.
#pragma once

#include "moreau/scene/read/read_grains.hpp"

namespace moreau::inline scene {

// Needs a scene read without mistakes. Costs O(number of grains).
template <int D>
void place_grains(GrainEntries<D>& entries, Scene<D>& scene, const SceneNames& names, const SceneLimits& limits,
                  Mistakes& mistakes);

}  // namespace moreau::inline scene
