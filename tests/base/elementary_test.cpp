// Logarithm and exponential without the C library, against those of the C library.
#include "moreau/base/elementary.hpp"

#include <gtest/gtest.h>

#include "moreau/base/random.hpp"

namespace moreau {
namespace {

TEST(Elementary, logarithm_and_exponential_to_rounding) {
  RandomStream random(3);
  for (int i = 0; i < 100000; ++i) {
    const double x = random.uniform(-200.0, 200.0);
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1.0, 1e-13);  // x itself carries 2e-14
    const double y = std::exp(x);
    EXPECT_NEAR(portable_log(y), std::log(y), 1e-15 * std::max(1.0, std::abs(x)));
  }
  EXPECT_EQ(portable_exp(0.0), 1.0);
  EXPECT_EQ(portable_log(1.0), 0.0);
  EXPECT_NEAR(portable_log(1.0 + 1e-10), std::log(1.0 + 1e-10), 1e-25);
  EXPECT_NEAR(portable_power(2.0, 0.5), std::sqrt(2.0), 1e-15);
}

}  // namespace
}  // namespace moreau
