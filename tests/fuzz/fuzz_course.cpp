// Scenes that the reader accepts, however odd their numbers, followed for two steps: what cannot be computed ends with a
// sentence.
#include <sys/resource.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>

#include "moreau/course/course.hpp"

namespace {

using namespace moreau;

struct Count {
  unsigned long followed = 0, ended = 0, refused = 0, memory = 0;
  Count() {
#ifndef MOREAU_SANITIZE
    constexpr rlim_t most = 4ull << 30;
    const rlimit limit{most, most};
    setrlimit(RLIMIT_AS, &limit);
#endif
  }
  ~Count() {
    std::printf("%lu scenes followed, %lu of them ended with a sentence, %lu refused, %lu for lack of memory\n", followed, ended,
                refused, memory);
  }
} count;

void sentence(std::string_view words) {
  if (words.empty() || words.find("std::") != std::string_view::npos) std::abort();
}

template <int D>
void follow(const Scene<D>& scene) {
  Course<D> course(scene);
  ++count.followed;
  for (int k = 0; k < 2 && course.step() == Standing::running; ++k)
    for (const Vec<D>& position : course.state().bodies.state.position)
      for (int axis = 0; axis < D; ++axis)
        if (!std::isfinite(position[axis])) std::abort();
  if (course.standing() == Standing::running || course.standing() == Standing::over) return;
  ++count.ended;
  sentence(course.why());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SceneLimits limits;
  limits.grains = 300;
  limits.bytes = 1 << 16;
  try {
    std::visit([](const auto& scene) { follow(scene); },
               parse_scene(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.toml", {}, limits));
  } catch (const std::bad_alloc&) {  // said to the user as such
    ++count.memory;
  } catch (const std::runtime_error& error) {
    sentence(error.what());
    ++count.refused;
  }
  return 0;
}
