// Arbitrary bytes given to the scene reader: it returns a scene or throws SceneError, and nothing else.
// Build and run (clang), from the root of the repository:
//   cmake -S . -B build-fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DMOREAU_FUZZ=ON && ninja -C build-fuzz fuzz_scene
//   build-fuzz/tests/fuzz_scene -max_total_time=60 -timeout=10 -rss_limit_mb=2048 /tmp/found tests/fuzz/corpus
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
