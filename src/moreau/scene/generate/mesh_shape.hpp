// Blocks whose shape is that of a mesh: its convex hull, or convex parts that fill it. Mass, centre and inertia are those of what
// the mesh encloses.
#pragma once

#include "moreau/scene/generate/shape_recipe.hpp"

namespace moreau::inline scene {

// Keys `mesh` and `convex`, `rounding` having been read. In the plane the mesh is a closed polyline.
template <int D>
void read_mesh_shape(TableReader& entry, NamedFiles& files, ShapeRecipe<D>& recipe);

}  // namespace moreau::inline scene
