// A random stream whose whole state is four words, so that it can be checkpointed and gives the same numbers on every machine
// (the distributions of the standard library differ between implementations). Generator: xoshiro256** seeded by splitmix64.
#pragma once

#include <array>
#include <cstdint>

namespace moreau::inline base {

class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed = 0) {
    for (auto& word : state_) {  // splitmix64: any seed, also 0, gives a well mixed state
      std::uint64_t z = (seed += 0x9e3779b97f4a7c15ULL);
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
      word = z ^ (z >> 31);
    }
  }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  const std::array<std::uint64_t, 4>& state() const { return state_; }
  void restore(const std::array<std::uint64_t, 4>& state) { state_ = state; }

 private:
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace moreau::inline base
