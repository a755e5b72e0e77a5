// Numbers given as functions of time.
#include "moreau/drive/signal.hpp"

#include <gtest/gtest.h>

namespace moreau {
namespace {

TEST(Signal, constant) {
  Signal s;
  s.mean = 3.0;
  EXPECT_EQ(s.at(17.0), 3.0);
}

TEST(Signal, sinusoid_starts_at_its_mean_and_swings_by_its_amplitude) {
  Signal s;
  s.mean = 2.0, s.amplitude = 0.5, s.frequency = 4.0;
  EXPECT_EQ(s.at(0.0), 2.0);
  EXPECT_NEAR(s.at(1.0 / 16), 2.5, 1e-15);
  EXPECT_NEAR(s.at(3.0 / 16), 1.5, 1e-15);
  EXPECT_NEAR(s.at(0.25), 2.0, 1e-15);
}

TEST(Signal, table_is_linear_between_its_points_and_constant_outside) {
  Signal s;
  s.times = {1.0, 2.0, 4.0}, s.values = {10.0, 20.0, 0.0};
  EXPECT_EQ(s.at(-5.0), 10.0);
  EXPECT_EQ(s.at(1.5), 15.0);
  EXPECT_EQ(s.at(2.0), 20.0);
  EXPECT_EQ(s.at(3.0), 10.0);
  EXPECT_EQ(s.at(9.0), 0.0);
}

}  // namespace
}  // namespace moreau
