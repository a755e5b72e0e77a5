// From triangles as listed to a surface that hangs together.
#pragma once

#include "moreau/mesh/soup.hpp"

namespace moreau::mesh {

// What was changed, in numbers of triangles and corners.
struct Repair {
  std::size_t degenerate = 0;  // triangles without an area, left out
  std::size_t repeated = 0;    // triangles with the corners of one before, left out
  std::size_t joined = 0;      // corners brought together although they were not quite equal
};

struct CleanMesh {
  Mesh<3> mesh;  // vertices and faces, not yet connected
  Repair repair;
};

// Corners that are equal, or closer than a few roundings of single precision of the largest coordinate, become one; triangles of
// less height than that are left out. MeshError where a coordinate is not finite or nothing is left.
CleanMesh cleaned(Soup soup);

}  // namespace moreau::mesh
