// Bodies that are not convex, cut into convex parts by CGAL.
#pragma once

#include <vector>

#include "moreau/geometry/mesh.hpp"

namespace moreau::mesh {

// Corners of convex polyhedra that together fill what a closed mesh, its normals outwards, encloses; they touch and do not
// overlap. MeshError if there are more than `most` of them.
std::vector<std::vector<Vec<3>>> convex_parts(const Mesh<3>& mesh, std::size_t most);

// Corners of convex polygons that together fill a simple polygon, whose last point may be its first; none if other points repeat or
// sides cross.
std::vector<std::vector<Vec<2>>> convex_parts(const std::vector<Vec<2>>& outline);

}  // namespace moreau::mesh
