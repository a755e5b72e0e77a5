// Words as a scene file holds them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "moreau/base/utf8.hpp"

namespace moreau::inline scene {

// In quotes; what TOML does not allow there is escaped.
inline std::string toml_string(const std::string& words) {
  std::string result = "\"";
  for (const char c : utf8_text(words)) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      result += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    else
      result += c;
  }
  return result + '"';
}

}  // namespace moreau::inline scene
