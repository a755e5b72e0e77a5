// Mass properties of what a closed mesh encloses, and shapes that have them.
#pragma once

#include "moreau/geometry/mass_properties.hpp"
#include "moreau/geometry/mesh.hpp"
#include "moreau/geometry/polyhedron_moments.hpp"

namespace moreau::inline geometry {

// Exact for a closed mesh whose normals point outwards; negative volumes if they point inwards.
Moments moments_of(const Mesh<3>& mesh);

// A shape of these parts with given moments instead of those of the parts.
PlacedShape<3> make_shape(std::vector<ConvexPart<3>> parts, const Moments& moments);

}  // namespace moreau::inline geometry
