#include "moreau/base/whole.hpp"

#include <gtest/gtest.h>

#include <limits>

using namespace moreau;

TEST(Whole, is_the_floor_of_what_fits) {
  EXPECT_EQ(whole(2.9), 2);
  EXPECT_EQ(whole(-2.1), -3);
  EXPECT_EQ(whole(1e15), 1'000'000'000'000'000);
}

TEST(Whole, is_bounded_for_what_does_not) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double x : {1e30, 1e300, infinity}) EXPECT_EQ(whole(x), 4'000'000'000'000'000'000);
  for (const double x : {-1e30, -infinity, std::numeric_limits<double>::quiet_NaN()}) EXPECT_EQ(whole(x), -4'000'000'000'000'000'000);
}
