// Random streams: uniform, reproducible, restored exactly.
#include "moreau/base/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace moreau {
namespace {

TEST(RandomStream, restored_state_goes_on_with_the_same_numbers) {
  RandomStream a(42);
  for (int i = 0; i < 10; ++i) a.next();
  RandomStream b(0);
  b.restore(a.state());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(RandomStream, numbers_are_uniform) {
  RandomStream random(1);
  constexpr int count = 200000, bins = 20;
  int in_bin[bins] = {};
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
    ++in_bin[static_cast<int>(x * bins)];
  }
  EXPECT_NEAR(sum / count, 0.5, 5.0 * std::sqrt(1.0 / 12.0 / count));  // five standard deviations of the mean
  double chi_square = 0.0;
  for (int n : in_bin) chi_square += (n - count / bins) * (n - count / bins) / static_cast<double>(count / bins);
  EXPECT_LT(chi_square, 43.8);  // exceeded with probability 0.001 for 19 degrees of freedom
}

TEST(RandomStream, neighbouring_seeds_are_unrelated) {
  int equal_bits = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::uint64_t difference = RandomStream(seed).next() ^ RandomStream(seed + 1).next();
    equal_bits += 64 - __builtin_popcountll(difference);
  }
  EXPECT_NEAR(equal_bits, 3200, 200);  // five standard deviations
}

}  // namespace
}  // namespace moreau
