// Arbitrary bytes as a file of numbers that a scene names: a scene or SceneError, and the scene kept needs the file no more.
#include "fuzz/hdf5_edits.hpp"
#include "moreau/scene/scene.hpp"

using namespace moreau;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string text =
      "dimension = 2\n[time]\nstep = 1e-3\nduration = 1\n[material]\ndensity = 1\n[motion]\nname = \"m\"\nkind = "
      "\"accelerogram\"\n"
      "record = \"table.csv\"\ndirection = [1, 0]\n[block]\nsize = [1, 1]\nposition = [0, 0]\nmotion = \"m\"\n";
  fuzz::write_bytes(fuzz::scratch() / "table.csv", data, std::min<std::size_t>(size, 1 << 16));
  try {
    const auto scene = std::get<Scene<2>>(parse_scene(text, "s.toml", fuzz::scratch()));
    const auto kept = std::get<Scene<2>>(parse_scene(scene.text, "s.toml", "/nowhere"));
    if (kept.model.motions[0].times != scene.model.motions[0].times) std::abort();
  } catch (const SceneError&) {
  }
  return 0;
}
