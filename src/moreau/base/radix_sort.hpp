// Sorting by whole numbers, digit by digit from the lowest: in time proportional to the count and to the digits that occur.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace moreau::inline base {

struct Keyed {
  std::uint64_t key;
  std::uint32_t number;
};

// Orders by key; equal keys keep their order. `bits`: how many of the lowest bits of the keys may differ.
inline void sort_by_key(std::vector<Keyed>& items, int bits) {
  constexpr int digit = 11;
  std::vector<Keyed> other(bits > 0 ? items.size() : 0);
  for (int shift = 0; shift < bits; shift += digit) {
    const auto digit_of = [shift](const Keyed& k) { return static_cast<std::size_t>(k.key >> shift) & ((1u << digit) - 1); };
    std::array<std::uint32_t, 1u << digit> place{};
    for (const Keyed& k : items) ++place[digit_of(k)];
    std::uint32_t sum = 0;
    for (std::uint32_t& p : place) {
      const std::uint32_t count = p;
      p = sum, sum += count;
    }
    for (const Keyed& k : items) other[place[digit_of(k)]++] = k;
    items.swap(other);
  }
}

}  // namespace moreau::inline base
