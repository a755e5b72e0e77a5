// Arbitrary bytes given to the scene reader: it returns a scene or throws SceneError, and nothing else.
// ./check fuzz builds this and its neighbours with clang and gives each a minute.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "moreau/scene/scene.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  moreau::SceneLimits limits;
  limits.grains = 2000;  // the reader is tested here, not the memory of the machine
  limits.bytes = 1 << 16;
  try {
    moreau::parse_scene(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.toml", {}, limits);
  } catch (const moreau::SceneError&) {
  }
  return 0;
}
