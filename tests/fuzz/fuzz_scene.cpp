// Arbitrary bytes given to the scene reader: it returns a scene or throws SceneError with a sentence, and nothing else.
// ./check fuzz builds this and its neighbours with clang and gives each a minute.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "moreau/scene/scene.hpp"

namespace {

struct Count {
  unsigned long accepted = 0, refused = 0;
  ~Count() { std::printf("%lu scenes accepted, %lu refused\n", accepted, refused); }
} count;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  moreau::SceneLimits limits;
  limits.grains = 2000;  // the reader is tested here, not the memory of the machine
  limits.bytes = 1 << 16;
  try {
    moreau::parse_scene(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.toml", {}, limits);
    ++count.accepted;
  } catch (const moreau::SceneError& error) {
    const std::string_view sentence = error.what();
    if (!sentence.starts_with("fuzz.toml:") || sentence.size() > 2000) std::abort();
    ++count.refused;
  }
  return 0;
}
