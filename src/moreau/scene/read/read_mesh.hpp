// The key `mesh` of a wall or a block: the name of a file, or in the plane a table of points.
#pragma once

#include "moreau/geometry/mesh.hpp"
#include "moreau/scene/read/number_file.hpp"
#include "moreau/scene/read/toml_reader.hpp"

namespace moreau::inline scene {

// The mesh as its file has it. What was left out or added is said in `notes`. After a mistake it has no faces.
template <int D>
struct ReadMesh {
  Mesh<D> mesh;  // vertices and faces, not yet connected
  std::vector<std::string> notes;
  std::size_t changed = 0;  // faces left out or added
};
template <int D>
ReadMesh<D> read_mesh(TableReader& entry, NamedFiles& files);

// Times `scale`, turned, then moved: keys `scale`, `rotation` (in the plane `angle`), `position`. After a mistake: a harmless
// mesh of one face.
template <int D>
void place_mesh(TableReader& entry, Mesh<D>& mesh);

}  // namespace moreau::inline scene
