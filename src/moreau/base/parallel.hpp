// Loops over threads whose results do not depend on how many threads there are: the work is cut into chunks whose borders depend
// on its size alone, and partial results are combined in chunk order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "moreau/base/team.hpp"

namespace moreau::inline base {

// Of the arena in which the caller works.
bool one_thread_only();

// work(k) for every k in [0, count), each once, by the threads of the arena.
void in_arena(std::size_t count, void (*call)(const void* work, std::size_t k), const void* work);

inline std::size_t chunk_count(std::size_t n, std::size_t chunk) { return (n + chunk - 1) / chunk; }

// f(chunk_index, begin, end) for every chunk of [0, n).
template <class F>
void for_chunks(std::size_t n, std::size_t chunk, F&& f) {
  const std::size_t count = chunk_count(n, chunk);
  const auto one = [&](std::size_t k) { f(k, k * chunk, std::min(n, (k + 1) * chunk)); };
  if (count <= 1 || one_thread_only()) {
    for (std::size_t k = 0; k < count; ++k) one(k);
    return;
  }
  if (Team::divide(count, one)) return;
  in_arena(
      count, [](const void* w, std::size_t k) { (*static_cast<const decltype(one)*>(w))(k); }, &one);
}

// The threads of the arena, and which of them works here: below the number, and different for two that work at the same time.
std::size_t worker_count();
std::size_t current_worker();

// A sum for each thread, where the order of terms does not matter (exact_sum.hpp; counts, maxima).
template <class Partial>
class PerWorker {
 public:
  PerWorker() : sums_(worker_count()) {}
  Partial& mine() { return sums_[current_worker()].sum; }
  Partial total() const {
    Partial all{};
    for (const Place& place : sums_) all += place.sum;
    return all;
  }

 private:
  struct alignas(64) Place {
    Partial sum{};
  };
  std::vector<Place> sums_;
};

// The same for one loop: f(begin, end, sum) adds to the sum of its thread.
template <class Partial, class F>
Partial sum_chunks(std::size_t n, std::size_t chunk, F&& f) {
  if (chunk_count(n, chunk) <= 1) {
    Partial sum{};
    if (n > 0) f(std::size_t{0}, n, sum);
    return sum;
  }
  PerWorker<Partial> sums;
  for_chunks(n, chunk, [&](std::size_t, std::size_t begin, std::size_t end) { f(begin, end, sums.mine()); });
  return sums.total();
}

// Combines f(begin, end) over chunks, in chunk order, with Partial's operator+=.
template <class Partial, class F>
Partial reduce_chunks(std::size_t n, std::size_t chunk, F&& f) {
  std::vector<Partial> partial(chunk_count(n, chunk));
  for_chunks(n, chunk, [&](std::size_t k, std::size_t begin, std::size_t end) { partial[k] = f(begin, end); });
  Partial total{};
  for (const Partial& p : partial) total += p;
  return total;
}

}  // namespace moreau::inline base
