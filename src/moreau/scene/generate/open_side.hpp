// A side on which a box or a cylinder of the scene has no wall.
#pragma once

#include <string>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline scene {

template <int D>
struct OpenSide {
  std::string name;  // "face 'bottom' of box 'tray'"
  Vec<D> outwards{};
};

}  // namespace moreau::inline scene
