// The [[measure]] entries of a scene, taken from the running simulation.
#pragma once

#include "moreau/dynamics/simulation.hpp"
#include "moreau/scene/scene.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau {

// To be called after every step; writes those that are due at the time reached. An entry is due at the step nearest to each
// multiple of its interval, which needs no memory of what was written: a resumed run samples as an uninterrupted one.
template <int D>
void sample_measures(const Scene<D>& scene, const Simulation<D>& simulation, RunFolder& folder);

}  // namespace moreau
