// What a checkpoint or a frame was computed with: it belongs to this scene, and was written by this program.
#pragma once

#include <string>
#include <string_view>

namespace moreau::inline base {

// Empty texts where a file does not say: it was written before there were signatures.
struct Signature {
  std::string scene;  // digest of the text of scene.toml
  std::string version, commit;

  bool operator==(const Signature&) const = default;
};

std::string digest_of_scene(std::string_view text);  // 32 hexadecimal digits
// Of this program, for a run of this scene.
Signature own_signature(std::string_view scene_text);

}  // namespace moreau::inline base
