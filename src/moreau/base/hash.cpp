#include "moreau/base/hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace moreau::inline base {

Hash::Hash() : state_(XXH3_createState()) { XXH3_128bits_reset(state_); }
Hash::~Hash() { XXH3_freeState(state_); }

void Hash::bytes(const void* data, std::size_t size) { XXH3_128bits_update(state_, data, size); }

std::string Hash::hex() const {
  const XXH128_hash_t h = XXH3_128bits_digest(state_);
  return fmt::format("{:016x}{:016x}", h.high64, h.low64);
}

}  // namespace moreau::inline base
