#include "moreau/store/output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "moreau/store/disk.hpp"
#include "moreau/store/run_names.hpp"
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

namespace {

// A slip of the hand must not cost a run: files that make one up are written by the run alone.
void check_not_of_run(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return;
  const fs::path folder = fs::absolute(behind_links(path)).parent_path();
  for (const fs::path& run : {folder, folder.parent_path()}) {
    if (!holds_run(run)) continue;
    for (const fs::path& file : files_of_run(run))
      if (fs::equivalent(run / file, path, ignored))
        throw StoreError(fmt::format("{}: is a file of the run in {}; accepted: another name", path.string(), run.string()));
  }
}

}  // namespace

void write_output(const fs::path& path, std::string_view bytes) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  check_not_of_run(path);
  if (fs::exists(status) && !fs::is_regular_file(status))
    write_into(path, bytes);
  else
    write_whole(behind_links(path), bytes, Sync::later);
}

}  // namespace moreau::inline store
