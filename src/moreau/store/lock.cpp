#include "moreau/store/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "moreau/store/store_error.hpp"

namespace moreau {

Lock::Lock(const std::filesystem::path& file) : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);
  throw StoreError(
      fmt::format("{}: another moreau is at work in this folder; wait for it, or end it first", file.parent_path().string()));
}

Lock::~Lock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace moreau
