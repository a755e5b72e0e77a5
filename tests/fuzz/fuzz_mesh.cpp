// Arbitrary bytes as a file of triangles, in the format that the first byte says, as a wall and as a block whose holes are filled: a scene or SceneError, and
// the scene kept needs the file no more.
#include "fuzz/hdf5_edits.hpp"
#include "moreau/mesh/soup.hpp"
#include "moreau/scene/scene.hpp"

using namespace moreau;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string file = "mesh." + mesh::formats()[data[0] % 4];
  static const std::string head =
      "dimension = 3\ngravity = 1\n[time]\nstep = 1e-3\nduration = 1\n[material]\ndensity = 1\n[law]\nfriction = 0\n[grain]\nradius = "
      "1e-3\nposition = [1e9, 0, 0]\n";
  fuzz::write_bytes(fuzz::scratch() / file, data + 1, std::min<std::size_t>(size - 1, 1 << 14));
  for (const std::string& tail : {"[wall]\nmesh = \"" + file + "\"\n", "[block]\nmesh = \"" + file + "\"\nfixed = true\nholes = \"fill\"\n"}) try {
      const auto scene = std::get<Scene<3>>(parse_scene(head + tail, "s.toml", fuzz::scratch()));
      const auto kept = std::get<Scene<3>>(parse_scene(scene.text, "s.toml", "/nowhere"));
      for (std::size_t w = 0; w < scene.model.walls.size(); ++w)
        if (!(kept.model.walls[w].geometry.mesh->mesh.vertices == scene.model.walls[w].geometry.mesh->mesh.vertices)) std::abort();
    } catch (const SceneError&) {
    }
  return 0;
}
