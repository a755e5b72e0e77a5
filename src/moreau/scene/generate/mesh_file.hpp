// A file of triangles, by name or as a copy of its bytes in the scene: `{ format = "stl", digest = "...", data = "..." }`, which
// is what the scene kept in a run folder has in place of the name.
#pragma once

#include <string>

#include "moreau/scene/read/number_file.hpp"

namespace moreau::inline scene {

struct MeshFile {
  std::string words;   // for messages: "names drum.stl", or "holds a copy of a mesh"
  std::string format;  // stl, obj, ply, off
  std::string digest;  // of the bytes
  std::string bytes;   // empty after a mistake
};

MeshFile read_mesh_file(TableReader& entry, NamedFiles& files);

}  // namespace moreau::inline scene
