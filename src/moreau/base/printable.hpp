// Text of a stranger's file on a terminal: control characters could recolour it, move in it, or worse.
#pragma once

#include <string>
#include <string_view>

namespace moreau::inline base {

// The text with every control character (C0, DEL, and C1 as UTF-8 writes it) as a question mark.
inline std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    const auto next = k + 1 < text.size() ? static_cast<unsigned char>(text[k + 1]) : 0;
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0)
      shown += '?', ++k;
    else
      shown += byte < 32 || byte == 127 ? '?' : text[k];
  }
  return shown;
}

}  // namespace moreau::inline base
