// Elementary functions of our own against those of the system's library in extended precision, in units in the last place.
#include "moreau/base/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace moreau {
namespace {

double ulps(double value, long double truth) {
  const double near = static_cast<double>(truth);
  const double unit = std::nextafter(std::abs(near), std::numeric_limits<double>::infinity()) - std::abs(near);
  return static_cast<double>(std::abs(static_cast<long double>(value) - truth) / static_cast<long double>(unit));
}

class Elementary : public testing::Test {
 protected:
  std::mt19937_64 random{7};
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
};

TEST_F(Elementary, SineAndCosineAreAccurateForSmallAndLargeAngles) {
  double worst = 0.0;
  for (const double range : {1e-8, 0.1, 1.0, 7.0, 100.0, 1e5, 1e9})
    for (int i = 0; i < 20000; ++i) {
      const double x = uniform(-range, range);
      const SineCosine both = sine_cosine(x);
      worst = std::max({worst, ulps(both.sine, std::sin(static_cast<long double>(x))),
                        ulps(both.cosine, std::cos(static_cast<long double>(x)))});
    }
  EXPECT_LT(worst, 1.0);
  EXPECT_EQ(sine(0.0), 0.0);
  EXPECT_EQ(cosine(0.0), 1.0);
  EXPECT_TRUE(std::isnan(sine(std::numeric_limits<double>::infinity())));
}

TEST_F(Elementary, ExponentialAndLogarithmAreAccurate) {
  double of_exponential = 0.0, of_logarithm = 0.0;
  for (const double range : {1e-6, 1.0, 30.0, 700.0})
    for (int i = 0; i < 20000; ++i) {
      const double x = uniform(-range, range);
      of_exponential = std::max(of_exponential, ulps(exponential(x), std::exp(static_cast<long double>(x))));
      const double y = std::exp(x);
      of_logarithm = std::max(of_logarithm, ulps(logarithm(y), std::log(static_cast<long double>(y))));
    }
  EXPECT_LT(of_exponential, 2.0);
  EXPECT_LT(of_logarithm, 2.0);
  EXPECT_EQ(logarithm(1.0), 0.0);
  EXPECT_EQ(exponential(0.0), 1.0);
  EXPECT_NEAR(logarithm(1.0 + 1e-10), std::log(1.0 + 1e-10), 1e-25);
  EXPECT_NEAR(power(2.0, 0.5), std::sqrt(2.0), 1e-15);
  EXPECT_EQ(exponential(1000.0), std::numeric_limits<double>::infinity());
}

TEST_F(Elementary, AnglesOfVectorsAreAccurateInAllQuadrants) {
  double worst = 0.0;
  for (const double range : {1e-3, 1.0, 1e3})
    for (int i = 0; i < 20000; ++i) {
      const double x = uniform(-1.0, 1.0), y = uniform(-range, range);
      worst = std::max(worst, ulps(arctangent(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))));
    }
  EXPECT_LT(worst, 5.0);
  EXPECT_EQ(arctangent(0.0, 1.0), 0.0);
  EXPECT_DOUBLE_EQ(arctangent(0.0, -1.0), M_PI);
  EXPECT_DOUBLE_EQ(arctangent(-1.0, 0.0), -M_PI / 2);
  EXPECT_DOUBLE_EQ(arccosine(-1.0), M_PI);
  EXPECT_DOUBLE_EQ(arcsine(1.0), M_PI / 2);
}

TEST_F(Elementary, HypotenusesDoNotOverflow) {
  for (int i = 0; i < 20000; ++i) {
    const double scale = std::ldexp(1.0, static_cast<int>(uniform(-1000, 1000)));
    const double a = scale * uniform(-1.0, 1.0), b = scale * uniform(-1.0, 1.0);
    EXPECT_LT(ulps(hypotenuse(a, b), std::hypot(static_cast<long double>(a), static_cast<long double>(b))), 1.5);
  }
  EXPECT_EQ(hypotenuse(0.0, 0.0), 0.0);
  EXPECT_EQ(hypotenuse(3e300, 4e300), 5e300);
}

}  // namespace
}  // namespace moreau
