#include "moreau/store/disk.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "moreau/store/store_error.hpp"

namespace moreau::inline store {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const char* what, int error) {
  throw StoreError(fmt::format("{}: {}: {}", path.string(), what, std::strerror(error)));
}

// Number of bytes written; fewer than asked only on an error, left in errno.
std::size_t write_all(int descriptor, std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = ENOSPC;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

[[noreturn]] void refuse_no_file(const fs::path& path) { throw StoreError(fmt::format("{}: is not a file", path.string())); }

// For writing. What would wait for the reader of a pipe is refused instead.
int open_for_writing(const fs::path& path, int flags) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, 0666);
  struct stat status {};
  if (descriptor < 0 && errno == ENXIO) refuse_no_file(path);
  if (descriptor >= 0 && ::fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode)) {
    ::close(descriptor);
    refuse_no_file(path);
  }
  return descriptor;
}

struct RegularFile {
  fs::path path;
  int descriptor;
  std::uint64_t size = 0;

  // What would wait for the writer of a pipe is refused instead.
  explicit RegularFile(const fs::path& p) : path(p), descriptor(::open(p.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor < 0) fail(path, "cannot be read", errno);
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
      ::close(descriptor);
      refuse_no_file(path);
    }
    size = static_cast<std::uint64_t>(status.st_size);
  }
  RegularFile(const RegularFile&) = delete;
  ~RegularFile() { ::close(descriptor); }

  std::string read(std::size_t most) const {
    std::string bytes;
    char block[1 << 16];
    while (bytes.size() < most) {
      const ssize_t n = ::read(descriptor, block, std::min(sizeof block, most - bytes.size()));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail(path, "cannot be read", errno);
      if (n == 0) break;
      bytes.append(block, static_cast<std::size_t>(n));
    }
    return bytes;
  }
};

}  // namespace

void force_to_disk(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0 && errno == ENOENT) return;
  if (descriptor < 0) fail(path, "cannot be forced to the disk", errno);
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  // Some network file systems do not offer this on folders; the rename itself has then already been ordered by the server.
  if (error != 0 && error != EINVAL && error != ENOTSUP) fail(path, "cannot be forced to the disk", error);
}

fs::path write_beside(const fs::path& path, std::string_view bytes, Sync sync) {
  fs::path temporary = path;
  temporary += temporary_suffix;
  const int descriptor = open_for_writing(temporary, O_TRUNC);
  if (descriptor < 0) fail(path, "cannot be written", errno);
  int error = 0;
  if (write_all(descriptor, bytes) != bytes.size() || (sync == Sync::now && ::fsync(descriptor) != 0)) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail(path, "cannot be written", error);
  }
  return temporary;
}

void replace_file(const fs::path& from, const fs::path& to, Sync sync) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail(to, "cannot be put in place", errno);
  if (sync == Sync::now) force_to_disk(to.has_parent_path() ? to.parent_path() : ".");
}

void write_whole(const fs::path& path, std::string_view bytes, Sync sync) {
  replace_file(write_beside(path, bytes, sync), path, sync);
}

void write_new(const fs::path& path, std::string_view bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor < 0) fail(path, "cannot be written", errno);
  int error = write_all(descriptor, bytes) == bytes.size() && ::fsync(descriptor) == 0 ? 0 : errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0) return;
  ::unlink(path.c_str());
  fail(path, "cannot be written", error);
}

std::string read_whole(const fs::path& path, std::uint64_t most) {
  const RegularFile file(path);
  if (file.size > most) throw StoreError(fmt::format("{}: is larger than {} bytes", path.string(), most));
  return file.read(std::numeric_limits<std::size_t>::max());
}

std::string read_start(const fs::path& path, std::size_t most) { return RegularFile(path).read(most); }

void remove_file(const fs::path& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail(path, "cannot be removed", errno);
}

bool file_exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

void refuse_link(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_symlink(fs::symlink_status(path, ignored)))
    throw StoreError(fmt::format("{}: is a link; a run writes only into its own folder", path.string()));
}

void make_own_folder(const fs::path& path) {
  refuse_link(path);
  std::error_code error;
  fs::create_directory(path, error);
  if (error) throw StoreError(fmt::format("{}: cannot be made: {}", path.string(), error.message()));
}

LineFile::LineFile(fs::path path) : path_(std::move(path)) {
  descriptor_ = open_for_writing(path_, O_APPEND);
  if (descriptor_ < 0) fail(path_, "cannot be written", errno);
}

LineFile::LineFile(LineFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

LineFile::~LineFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool LineFile::empty() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail(path_, "cannot be read", errno);
  return status.st_size == 0;
}

void LineFile::append(std::string_view line) {
  struct stat before {
  }, named{};
  if (::fstat(descriptor_, &before) != 0) fail(path_, "cannot be read", errno);
  if (S_ISREG(before.st_mode) &&
      (::stat(path_.c_str(), &named) != 0 || named.st_ino != before.st_ino || named.st_dev != before.st_dev))
    throw StoreError(fmt::format("{}: was removed or replaced while it was being written", path_.string()));
  std::string bytes(line);
  bytes += '\n';
  if (write_all(descriptor_, bytes) == bytes.size()) return;
  const int error = errno;
  // Not every target can be cut (a pipe, a device); what matters then is the error that follows.
  [[maybe_unused]] const int cut = ::ftruncate(descriptor_, before.st_size);
  fail(path_, "cannot be written", error);
}

}  // namespace moreau::inline store
