// Stanford's PLY format, ascii and binary. Read here and not by a library: files are data of strangers, and every number is checked
// against what the file has.
#pragma once

#include <string_view>

#include "moreau/mesh/soup.hpp"

namespace moreau::mesh {

// Throws MeshError. Polygons with more than three corners are taken as convex.
Soup read_ply(std::string_view bytes);

}  // namespace moreau::mesh
