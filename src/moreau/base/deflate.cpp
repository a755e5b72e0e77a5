#include "moreau/base/deflate.hpp"

#include <zlib.h>

#include <new>

namespace moreau::inline base {

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string result(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), 9) != Z_OK)
    throw std::bad_alloc();
  result.resize(size);
  return result;
}

std::string inflated(const std::string& deflated_bytes, std::uint64_t size) {
  std::string result(size, '\0');
  uLongf length = static_cast<uLongf>(size);
  const int status = uncompress(reinterpret_cast<Bytef*>(result.data()), &length,
                                reinterpret_cast<const Bytef*>(deflated_bytes.data()), static_cast<uLong>(deflated_bytes.size()));
  return status == Z_OK && length == size ? result : std::string();
}

}  // namespace moreau::inline base
