// Triangles as a file lists them, before anything is known of how they hang together.
#pragma once

#include <string>
#include <string_view>

#include "moreau/geometry/mesh.hpp"

namespace moreau::mesh {

struct Soup {
  std::vector<Vec<3>> vertices;
  std::vector<MeshFace<3>> triangles;
};

// Formats by the ending of the file: stl (text and binary), obj, ply, off. Polygons are taken as convex and cut into triangles;
// points and lines are passed over. Numbers are kept in single precision, as the library does (but for ply). MeshError otherwise.
const std::vector<std::string>& formats();
Soup soup_of(std::string_view bytes, const std::string& format);

inline constexpr std::size_t most_triangles = 5'000'000;

}  // namespace moreau::mesh
