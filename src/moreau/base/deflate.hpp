// Bytes made shorter without loss, and back (zlib, RFC 1950).
#pragma once

#include <cstdint>
#include <string>

namespace moreau::inline base {

std::string deflated(const std::string& bytes);
// Nothing if it is not what `deflated` made of `size` bytes.
std::string inflated(const std::string& deflated_bytes, std::uint64_t size);

}  // namespace moreau::inline base
