// What a scene lets expect before it has run.
#pragma once

#include <vector>

#include "moreau/scene/generate/open_side.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau::inline scene {

// Adds to the warnings of a scene that is otherwise complete.
template <int D>
void foresee(Scene<D>& scene, const std::vector<OpenSide<D>>& open);

}  // namespace moreau::inline scene
