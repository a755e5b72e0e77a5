// Whether a mesh written as text is whole: its reader takes what is there and does not miss the rest.
#pragma once

#include <string_view>

namespace moreau::mesh {

// MeshError with place and counts if an ASCII STL file ends within a facet or without its endsolid, or if an OFF file has more or
// fewer lines than its head says, or one that lacks numbers. Other formats, and binary STL, are not looked at.
void check_whole_text(std::string_view bytes, std::string_view format);

}  // namespace moreau::mesh
