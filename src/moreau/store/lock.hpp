// Keeps a second process from writing to the same run. The system lifts the lock when the process ends, however it ends.
#pragma once

#include <filesystem>

namespace moreau {

class Lock {
 public:
  // StoreError if another process holds it. On file systems that know no locks it holds nobody off.
  explicit Lock(const std::filesystem::path& file);
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock();

 private:
  int descriptor_ = -1;
};

}  // namespace moreau
