#include "moreau/store/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace moreau::inline store {

Lock::Lock(const std::filesystem::path& folder) {
  const Taken taken = take(folder);
  if (taken == Taken::yes) return;
  if (descriptor_ >= 0) ::close(descriptor_);
  if (taken == Taken::folder_gone) throw FolderGone(fmt::format("{}: was removed meanwhile", folder.string()));
  throw StoreError(fmt::format("{}: another moreau is at work in this folder; wait for it, or end it first", folder.string()));
}

std::optional<Lock> Lock::if_free(const std::filesystem::path& folder) {
  Lock lock;
  if (lock.take(folder) != Taken::yes) return std::nullopt;
  return lock;
}

Lock::Taken Lock::take(const std::filesystem::path& folder) {
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0 && (errno == ENOENT || errno == ENOTDIR)) return Taken::folder_gone;
  if (descriptor_ < 0) throw StoreError(fmt::format("{}: cannot be locked: {}", folder.string(), std::strerror(errno)));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return Taken::held_by_another;
  // Whoever held it before may have removed the folder after it was opened here.
  struct stat opened {
  }, named{};
  const bool same = ::fstat(descriptor_, &opened) == 0 && ::stat(folder.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
                    opened.st_dev == named.st_dev;
  return same ? Taken::yes : Taken::folder_gone;
}

Lock::Lock(Lock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Lock::~Lock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace moreau::inline store
