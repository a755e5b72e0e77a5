// Arbitrary bytes as a file of stones, in the format that the first byte says: a scene or SceneError, and the scene kept needs the
// file no more.
#include "fuzz/hdf5_edits.hpp"
#include "moreau/scene/scene.hpp"

using namespace moreau;

namespace {

template <int D>
void give(const std::string& file) {
  const std::string text = "dimension = " + std::to_string(D) +
                           "\n[time]\nstep = 1e-3\nduration = 1\n[material]\ndensity = 1\n[law]\nfriction = 0\n[stones]\nname = "
                           "\"w\"\noverlap = 1e-3\nfile = \"" +
                           file + "\"\n";
  SceneLimits limits;
  limits.grains = 200;
  try {
    const auto scene = std::get<Scene<D>>(parse_scene(text, "s.toml", fuzz::scratch(), limits));
    const auto kept = std::get<Scene<D>>(parse_scene(scene.text, "s.toml", "/nowhere", limits));
    if (kept.bodies.state.position != scene.bodies.state.position || kept.named.size() != scene.named.size()) std::abort();
    for (std::size_t i = 0; i < kept.named.size(); ++i)
      if (kept.named[i].name != scene.named[i].name) std::abort();
  } catch (const SceneError& error) {
    if (std::string(error.what()).find("s.toml") == std::string::npos) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  static const char* const files[] = {"stones.dxf", "stones.csv", "stones.obj", "stones.txt"};
  const int kind = data[0] % 4;
  fuzz::write_bytes(fuzz::scratch() / files[kind], data + 1, std::min<std::size_t>(size - 1, 1 << 14));
  if (kind < 2)
    give<2>(files[kind]);
  else
    give<3>(files[kind]);
  return 0;
}
