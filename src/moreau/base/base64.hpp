// Bytes as text, and back (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace moreau::inline base {

std::string base64(std::string_view bytes);
// Nothing if the text is not base64 with its padding.
std::optional<std::string> bytes_of_base64(std::string_view text);

}  // namespace moreau::inline base
