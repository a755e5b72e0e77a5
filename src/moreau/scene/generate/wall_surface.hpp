// Surfaces of walls that move within themselves: belts, turning drums, turntables.
#pragma once

#include "moreau/scene/read/read_model.hpp"

namespace moreau::inline scene {

// Why the surface of a wall cannot move so without leaving its place; empty if it can.
template <int D>
std::string surface_fault(const WallGeometry<D>& wall, const Motion<D>& motion);

}  // namespace moreau::inline scene
