// Keeps a second process from writing to the same run. The lock is on the folder itself, which no replacement of files in it
// moves; the system lifts it when the process ends, however it ends. File systems of networks lock no folders, but files that are
// open for writing: there the file .NAME.lock beside the folder is locked, and removed when the lock is lifted.
#pragma once

#include <filesystem>
#include <optional>

#include "moreau/store/store_error.hpp"

namespace moreau::inline store {

// The folder is no longer the one of that name: whoever had it before has removed it.
class FolderGone : public StoreError {
  using StoreError::StoreError;
};

class Lock {
 public:
  // StoreError if another process holds it, FolderGone if there is no such folder any more. On file systems that know no locks at
  // all it holds nobody off.
  explicit Lock(const std::filesystem::path& folder);
  // Nothing in both cases.
  static std::optional<Lock> if_free(const std::filesystem::path& folder);
  Lock(Lock&& other) noexcept;
  Lock& operator=(Lock&&) = delete;
  ~Lock();

 private:
  enum class Taken { yes, held_by_another, folder_gone };
  Lock() = default;
  Taken take(const std::filesystem::path& folder);
  Taken take_beside(const std::filesystem::path& folder);
  void lift();
  int descriptor_ = -1;
  int beside_ = -1;
  std::filesystem::path file_beside_;
};

}  // namespace moreau::inline store
