#include "moreau/store/output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "moreau/store/disk.hpp"
#include "moreau/store/store_error.hpp"

namespace moreau::inline store {
namespace {

namespace fs = std::filesystem;

void write_into(const fs::path& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  bool written = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0;
  const int error = errno;
  if (file && std::fclose(file) != 0) written = false;
  if (!written) throw StoreError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(error)));
}

}  // namespace

fs::path behind_links(fs::path path) {
  constexpr int most_links = 40;  // as Linux
  std::error_code error;
  for (int k = 0; fs::is_symlink(fs::symlink_status(path, error)); ++k) {
    if (k == most_links) throw StoreError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(ELOOP)));
    const fs::path target = fs::read_symlink(path, error);
    if (error) throw StoreError(fmt::format("{}: cannot be read: {}", path.string(), error.message()));
    path = path.parent_path() / target;  // an absolute target replaces the whole
  }
  return path;
}

void write_output(const fs::path& path, std::string_view bytes) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status))
    write_into(path, bytes);
  else
    write_whole(behind_links(path), bytes, Sync::later);
}

}  // namespace moreau::inline store
