// What of a scene is used up when its run begins: the bodies it places, and the seed. A change of these has no effect afterwards.
#pragma once

#include "moreau/scene/scene.hpp"

namespace moreau::inline runner {

// The same seed, and the same bodies in the same places.
template <int D>
bool place_the_same(const Scene<D>& a, const Scene<D>& b);

// Whether the bodies under way began as those of the scene: as many, unless sources bring more, of the same masses and materials.
template <int D>
bool began_as(const Bodies<D>& bodies, const Scene<D>& scene);

}  // namespace moreau::inline runner
