// What can be seen of a body that is not round: polygons in the frame of the laboratory, for views and pictures.
#pragma once

#include <vector>

#include "moreau/geometry/pose.hpp"
#include "moreau/geometry/shape.hpp"

namespace moreau::inline store {

// In the plane one polygon, the outline of the part, counter-clockwise; in space the polygons that cover it, counter-clockwise
// seen from outside. Round corners and edges are cut into chords, of which `steps` make a full turn.
template <int D>
std::vector<std::vector<Vec<D>>> surface_of(const ConvexPart<D>& part, const Pose<D>& at, int steps);

// Unit, outwards; of the plane that fits the polygon best (Newell).
Vec<3> normal_of(const std::vector<Vec<3>>& polygon);

}  // namespace moreau::inline store
