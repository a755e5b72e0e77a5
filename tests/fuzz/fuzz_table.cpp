// Arbitrary bytes as a file of numbers that a scene names, a table or, where the first byte is odd, a record of the PEER data base: a
// scene or SceneError, and the scene kept needs the file no more.
#include "fuzz/hdf5_edits.hpp"
#include "moreau/scene/scene.hpp"

using namespace moreau;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string before =
      "dimension = 2\n[time]\nstep = 1e-3\nduration = 1\n[material]\ndensity = 1\n[motion]\nname = \"m\"\nkind = "
      "\"accelerogram\"\nbaseline = \"rest\"\ndirection = [1, 0]\nrecord = \"";
  static const std::string after = "\"\n[block]\nsize = [1, 1]\nposition = [0, 0]\nmotion = \"m\"\n";
  if (size < 1) return 0;
  const std::string file = data[0] % 2 == 0 ? "table.csv" : "record.AT2";
  fuzz::write_bytes(fuzz::scratch() / file, data + 1, std::min<std::size_t>(size - 1, 1 << 16));
  try {
    const auto scene = std::get<Scene<2>>(parse_scene(before + file + after, "s.toml", fuzz::scratch()));
    const auto kept = std::get<Scene<2>>(parse_scene(scene.text, "s.toml", "/nowhere"));
    if (kept.model.motions[0].times != scene.model.motions[0].times) std::abort();
    if (kept.model.motions[0].accelerations != scene.model.motions[0].accelerations) std::abort();
  } catch (const SceneError&) {
  }
  return 0;
}
