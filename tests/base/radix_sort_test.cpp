#include "moreau/base/radix_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "moreau/base/random.hpp"

namespace moreau {
namespace {

TEST(RadixSort, orders_by_key_and_leaves_equal_keys_in_order) {
  RandomStream random(1);
  for (const int bits : {0, 1, 5, 11, 12, 22, 40, 63})
    for (const std::size_t count : {0, 1, 2, 1000}) {
      std::vector<Keyed> items;
      for (std::uint32_t i = 0; i < count; ++i) {
        const double part = random.uniform() < 0.5 ? random.uniform() : 0.5;  // half of the keys are the same
        items.push_back({bits == 0 ? 7 : static_cast<std::uint64_t>(part * static_cast<double>(std::uint64_t{1} << bits)), i});
      }
      std::vector<Keyed> expected = items;
      std::stable_sort(expected.begin(), expected.end(), [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
      sort_by_key(items, bits);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(items[i].key, expected[i].key);
        EXPECT_EQ(items[i].number, expected[i].number);
      }
    }
}

}  // namespace
}  // namespace moreau
