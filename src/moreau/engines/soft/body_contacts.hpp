// The contacts of every body, for sums over them in an order that does not depend on threads: first those in which it is the
// second body, then those in which it is the first, each as in the contact table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "moreau/contact/detect.hpp"

namespace moreau::soft {

class BodyContacts {
 public:
  // Lists of the second bodies; nothing to do where the contacts are those of the last call.
  void list(const std::vector<FoundContact>& found, std::size_t bodies) {
    const bool same =
        found.size() == second_.size() && row_.size() == bodies + 1 &&
        std::equal(found.begin(), found.end(), second_.begin(), [](const FoundContact& c, std::int32_t b) { return c.b == b; });
    if (same) return;
    row_.assign(bodies + 1, 0), second_.resize(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      second_[i] = found[i].b;
      if (!is_wall(found[i].b)) ++row_[static_cast<std::size_t>(found[i].b) + 1];
    }
    for (std::size_t b = 0; b < bodies; ++b) row_[b + 1] += row_[b];
    contact_.resize(row_[bodies]);
    std::vector<std::uint32_t> next(row_.begin(), row_.end() - 1);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (!is_wall(found[i].b)) contact_[next[static_cast<std::size_t>(found[i].b)]++] = static_cast<std::uint32_t>(i);
  }

  // Contacts in which body b is the second.
  const std::uint32_t* begin(std::size_t b) const { return contact_.data() + row_[b]; }
  const std::uint32_t* end(std::size_t b) const { return contact_.data() + row_[b + 1]; }

 private:
  std::vector<std::uint32_t> row_, contact_;
  std::vector<std::int32_t> second_;  // b of every contact of the last call
};

}  // namespace moreau::soft
