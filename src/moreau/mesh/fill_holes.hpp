// Meshes with holes, closed by CGAL.
#pragma once

#include <cstddef>

#include "moreau/geometry/mesh.hpp"

namespace moreau::mesh {

struct FilledHoles {
  std::size_t holes = 0, triangles = 0;
  double share = 0.0;  // of the area of the closed surface that was not in the file
};

// Closes every hole by the triangles between the corners of its border that have the least area. MeshError, with a triangle and
// the reason, where the border of a hole cannot be followed: edges of more than two triangles, or two holes that meet at a
// corner.
FilledHoles fill_holes(Mesh<3>& mesh);

}  // namespace moreau::mesh
