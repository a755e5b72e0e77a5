#include "moreau/base/signature.hpp"

#include "moreau/base/hash.hpp"
#include "moreau/base/version.hpp"

namespace moreau::inline base {

std::string digest_of_scene(std::string_view text) {
  Hash hash;
  hash.bytes(text.data(), text.size());
  return hash.hex();
}

Signature own_signature(std::string_view scene_text) { return {digest_of_scene(scene_text), MOREAU_VERSION, MOREAU_COMMIT}; }

}  // namespace moreau::inline base
