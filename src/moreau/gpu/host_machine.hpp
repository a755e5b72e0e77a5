// A machine that runs the loops of a graphics card here, each in an order shuffled anew: what holds on it does not depend on the
// order in which the threads of a card come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace moreau::gpu {

class HostMachine {
 public:
  static constexpr std::size_t fewest_contacts = 1;
  static std::string name() { return "the processor, shuffled"; }

  static void* allocate(std::size_t bytes) { return ::operator new(bytes, std::align_val_t{64}); }
  static void release(void* memory) { ::operator delete(memory, std::align_val_t{64}); }
  void upload(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  void download(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  // Pieces of `bytes` bytes, `stride` bytes apart on both sides.
  void upload_pieces(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k)
      std::memcpy(static_cast<char*>(to) + k * stride, static_cast<const char*>(from) + k * stride, bytes);
  }
  void download_pieces(void* to, const void* from, std::size_t bytes, std::size_t stride, std::size_t count) {
    upload_pieces(to, from, bytes, stride, count);
  }

  template <class Loop>
  void run(std::size_t count, const Loop& body) {
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t k = count; k > 1; --k) {
      random_ = random_ * 6364136223846793005u + 1442695040888963407u;
      std::swap(order_[k - 1], order_[(random_ >> 33) % k]);
    }
    for (const std::size_t k : order_) body(k);
  }

 private:
  std::vector<std::size_t> order_;
  std::uint64_t random_ = 1994;
};

}  // namespace moreau::gpu
