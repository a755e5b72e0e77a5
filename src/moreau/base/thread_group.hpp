// Where the members of a team come from: the arena of the caller. Under the thread sanitizer plain threads: it cannot see the
// locks of a scheduler that was not built for it, and would take every hand-over for a race.
#pragma once

#ifdef MOREAU_PLAIN_THREADS

#include <thread>
#include <utility>
#include <vector>

namespace moreau::inline base {

class ThreadGroup {
 public:
  template <class F>
  void run(F f) {
    threads_.emplace_back(std::move(f));
  }
  void wait() { threads_.clear(); }  // joins them

 private:
  std::vector<std::jthread> threads_;
};

}  // namespace moreau::inline base

#else

#include <oneapi/tbb/task_group.h>

namespace moreau::inline base {

using ThreadGroup = oneapi::tbb::task_group;

}  // namespace moreau::inline base

#endif
