// The contacts of a range of bodies, some at a time, in the order of the solver's memory.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace moreau::inline engines {

inline constexpr std::size_t slot_chunk = 512;

// f(contacts) for the contacts of the bodies in slots [begin, end). f may reorder what it is given.
template <class F>
void in_batches(const std::vector<std::int32_t>& order, const std::vector<std::uint32_t>& row, std::size_t begin, std::size_t end,
                F&& f) {
  std::uint32_t batch[1024];
  std::size_t count = 0;
  for (std::size_t s = begin; s < end; ++s) {
    const std::size_t body = static_cast<std::size_t>(order[s]);
    for (std::uint32_t i = row[body]; i < row[body + 1]; ++i) {
      batch[count++] = i;
      if (count < std::size(batch)) continue;
      f(std::span<std::uint32_t>(batch, count));
      count = 0;
    }
  }
  f(std::span<std::uint32_t>(batch, count));
}

}  // namespace moreau::inline engines
