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
namespace {

constexpr int most_tries = 100;  // to lock a file that others remove again

bool is_named(int descriptor, const std::filesystem::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

}  // namespace

Lock::Lock(const std::filesystem::path& folder) {
  const Taken taken = take(folder);
  if (taken == Taken::yes) return;
  lift();
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
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return Taken::held_by_another;
    if (const Taken taken = take_beside(folder); taken != Taken::yes) return taken;
  }
  // Whoever held it before may have removed the folder after it was opened here.
  return is_named(descriptor_, folder) ? Taken::yes : Taken::folder_gone;
}

Lock::Taken Lock::take_beside(const std::filesystem::path& folder) {
  std::error_code gone;
  const std::filesystem::path real = std::filesystem::canonical(folder, gone);
  if (gone) return Taken::folder_gone;
  file_beside_ = real.parent_path() / fmt::format(".{}.lock", real.filename().string());
  for (int tries = 0; tries < most_tries; ++tries) {
    beside_ = ::open(file_beside_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (beside_ < 0) return Taken::yes;  // nothing here can be locked
    const bool locked = ::flock(beside_, LOCK_EX | LOCK_NB) == 0;
    const bool held = !locked && errno == EWOULDBLOCK;
    if (locked && is_named(beside_, file_beside_)) return Taken::yes;
    ::close(std::exchange(beside_, -1));
    if (held) return Taken::held_by_another;
    if (!locked) return Taken::yes;  // nothing here can be locked
  }
  return Taken::held_by_another;
}

void Lock::lift() {
  if (beside_ >= 0) {
    ::unlink(file_beside_.c_str());  // while it is locked: who opened it before sees that it has lost its name
    ::close(beside_);
  }
  if (descriptor_ >= 0) ::close(descriptor_);
}

Lock::Lock(Lock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      beside_(std::exchange(other.beside_, -1)),
      file_beside_(std::move(other.file_beside_)) {}

Lock::~Lock() { lift(); }

}  // namespace moreau::inline store
