// Meshes that enclose a body.
#pragma once

#include <cstddef>

#include "moreau/geometry/mesh.hpp"

namespace moreau::mesh {

// Turns the triangles of a closed mesh so that all their normals point out of what it encloses. A surface that lies within another
// bounds a cavity, one within a cavity a body again: their normals point inwards and outwards in turn, whatever the file says. Returns
// the number of cavities. MeshError, with a triangle and the reason, if the
// mesh does not enclose a body: a border, an edge of more than two triangles, a surface with one side, no volume.
std::size_t orient_outwards(Mesh<3>& mesh);

}  // namespace moreau::mesh
