// A machine that runs the loops of a graphics card here, each in an order shuffled anew: what holds on it does not depend on the
// order in which the threads of a card come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "moreau/gpu/loops.hpp"

namespace moreau::gpu {

class HostMachine {
 public:
  static std::string name() { return "the processor, shuffled"; }

  static void* allocate(std::size_t bytes) { return ::operator new (bytes, std::align_val_t{64}); }
  static void release(void* memory) { ::operator delete (memory, std::align_val_t{64}); }
  void upload(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  void download(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  // Pieces of `bytes` bytes, `stride` bytes apart on both sides.
  void upload_pieces(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k)
      std::memcpy(static_cast<char*>(to) + k * stride, static_cast<const char*>(from) + k * stride, bytes);
  }
  void download_pieces(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t count) {
    upload_pieces(to, from, bytes, stride, count);
  }

  // body(i) for every i below `count`.
  template <class Loop>
  void run(std::size_t count, const Loop& body) {
    shuffle(count);
    for (const std::size_t k : order_) body(k);
  }
  // body(i) of each loop for every i below its count, one loop after the other.
  template <class Loop>
  void run_in_turn(const std::vector<std::pair<std::size_t, Loop>>& loops) {
    for (const auto& [count, body] : loops) run(count, body);
  }
  // The sum of what body(i, sum) adds for every i below `count`, put where `total` points; then then(sum).
  template <class Sum, class Loop, class Then = Nothing>
  void reduce(std::size_t count, const Loop& body, Sum* total, const Then& then = {}) {
    constexpr std::size_t parts = 3;
    Sum sum[parts + 1] = {};  // the last one stays empty, as those of threads without an index
    shuffle(count);
    for (std::size_t k = 0; k < count; ++k) body(order_[k], sum[k % parts]);
    *total = sum[2];
    *total += sum[parts];
    *total += sum[0];
    *total += sum[1];
    then(*total);
  }
  // Of a problem that is worked on by a crew (chains.hpp). A card's is larger; here so that both ways are tried.
  static constexpr std::size_t most_places_of_crew = 1600;
  struct Crew {
    HostMachine& machine;
    template <class Loop>
    void each(std::size_t count, const Loop& loop) {
      machine.run(count, loop);
    }
    template <class Sum, class Loop, class Then>
    void sum(std::size_t count, const Loop& loop, Sum* total, const Then& then) {
      machine.reduce(count, loop, total, then);
    }
    void wait() {}  // until all of the last loop is made
  };
  // chain(crew), once.
  template <class Chain>
  void run_together(const Chain& chain) {
    Crew crew{*this};
    chain(crew);
  }
  // f(), which starts loops and no more, again and again until forget(); `which` tells them apart.
  template <class F>
  void repeat(int /*which*/, F&& f) {
    f();
  }
  void forget() {}
  // Of numbers below 2^bits; of equal ones the order is kept.
  void sort(std::uint64_t* keys, std::size_t count, int /*bits*/) { std::sort(keys, keys + count); }
  template <class Key>
  void sort_with(Key* keys, std::uint32_t* values, std::size_t count, int /*bits*/) {
    std::vector<std::pair<Key, std::uint32_t>> both(count);
    for (std::size_t i = 0; i < count; ++i) both[i] = {keys[i], values[i]};
    std::stable_sort(both.begin(), both.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    for (std::size_t i = 0; i < count; ++i) keys[i] = both[i].first, values[i] = both[i].second;
  }
  // number[i] becomes the sum of those before it.
  void sum_before(std::uint32_t* number, std::size_t count) {
    std::exclusive_scan(number, number + count, number, std::uint32_t{0});
  }

 private:
  void shuffle(std::size_t count) {
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t k = count; k > 1; --k) {
      random_ = random_ * 6364136223846793005u + 1442695040888963407u;
      std::swap(order_[k - 1], order_[(random_ >> 33) % k]);
    }
  }

  std::vector<std::size_t> order_;
  std::uint64_t random_ = 1994;
};

}  // namespace moreau::gpu
