#include "moreau/solver/colouring.hpp"

#include <algorithm>

namespace moreau::inline solver {

void Colouring::colour_new(std::size_t none) {
  std::sort(new_.begin(), new_.end());
  for (const New& c : new_) {
    std::uint64_t unused = 0;
    std::uint64_t &at_a = used_[c.slot_a], &at_b = c.slot_b == none ? unused : used_[c.slot_b];
    const int lowest = std::countr_one(at_a | at_b);
    colour[c.contact] = static_cast<std::uint8_t>(lowest);
    if (lowest < most) at_a |= std::uint64_t{1} << lowest, at_b |= std::uint64_t{1} << lowest;
  }
}

}  // namespace moreau::inline solver
