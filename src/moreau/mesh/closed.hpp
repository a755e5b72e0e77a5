// Meshes that enclose a body.
#pragma once

#include "moreau/geometry/mesh.hpp"

namespace moreau::mesh {

// Turns the triangles of a closed mesh so that all their normals point outwards. MeshError, with a triangle and the reason, if the
// mesh does not enclose a body: a border, an edge of more than two triangles, a surface with one side, no volume.
void orient_outwards(Mesh<3>& mesh);

}  // namespace moreau::mesh
