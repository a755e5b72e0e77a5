// Arbitrary bytes as an SVG drawing that a wall of the plane is made of: a scene or SceneError, and the scene kept needs the file no more.
#include "fuzz/hdf5_edits.hpp"
#include "moreau/scene/scene.hpp"

using namespace moreau;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string text =
      "dimension = 2\ngravity = 1\n[time]\nstep = 1e-3\nduration = 1\n[material]\ndensity = 1\n[law]\nfriction = 0\n[grain]\nradius = "
      "1e-3\nposition = [1e9, 0]\n[wall]\nmesh = \"drawing.svg\"\n";
  fuzz::write_bytes(fuzz::scratch() / "drawing.svg", data, std::min<std::size_t>(size, 1 << 14));
  try {
    const auto scene = std::get<Scene<2>>(parse_scene(text, "s.toml", fuzz::scratch()));
    const auto kept = std::get<Scene<2>>(parse_scene(scene.text, "s.toml", "/nowhere"));
    if (!(kept.model.walls[0].geometry.mesh->mesh.vertices == scene.model.walls[0].geometry.mesh->mesh.vertices)) std::abort();
  } catch (const SceneError&) {
  }
  return 0;
}
