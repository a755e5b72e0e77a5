// Apart from the header: the scheduler's own headers take a compiler more than a second.
#include "moreau/base/parallel.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

namespace moreau::inline base {

std::size_t worker_count() { return static_cast<std::size_t>(std::max(1, oneapi::tbb::this_task_arena::max_concurrency())); }

std::size_t current_worker() {
  if (const std::ptrdiff_t member = Team::member(); member >= 0) return static_cast<std::size_t>(member);
  return static_cast<std::size_t>(std::max(0, oneapi::tbb::this_task_arena::current_thread_index()));
}

bool one_thread_only() { return oneapi::tbb::this_task_arena::max_concurrency() <= 1; }

#ifdef MOREAU_PLAIN_THREADS  // thread_group.hpp

void in_arena(std::size_t count, void (*call)(const void*, std::size_t), const void* work) {
  const Team team;
  const auto one = [&](std::size_t k) { call(work, k); };
  if (Team::divide(count, one)) return;
  for (std::size_t k = 0; k < count; ++k) one(k);
}

#else

void in_arena(std::size_t count, void (*call)(const void*, std::size_t), const void* work) {
  oneapi::tbb::parallel_for(
      std::size_t{0}, count, [&](std::size_t k) { call(work, k); }, oneapi::tbb::static_partitioner{});
}

#endif

}  // namespace moreau::inline base
