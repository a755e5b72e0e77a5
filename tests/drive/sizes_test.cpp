// Laws of grain sizes: bounds hold, moments are those of the law, and no draw of 10^5 sizes is told from it by Kolmogorov and
// Smirnov at the level of 1 %.
#include "moreau/drive/sizes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace moreau {
namespace {

std::vector<double> draws(const SizeDistribution& sizes, std::size_t count) {
  RandomStream random(5);
  std::vector<double> radii;
  for (std::size_t i = 0; i < count; ++i) radii.push_back(sizes.draw(random, i));
  return radii;
}

double mean(const std::vector<double>& x) {
  double sum = 0.0;
  for (double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}

constexpr double one_percent = 1.628;  // Kolmogorov's distance times sqrt(n) is larger with this probability

// Distance between the sizes and a law, times sqrt(n).
double kolmogorov(std::vector<double> r, const std::function<double(double)>& law) {
  std::sort(r.begin(), r.end());
  const double n = static_cast<double>(r.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double f = law(r[i]), k = static_cast<double>(i);
    distance = std::max({distance, f - k / n, (k + 1.0) / n - f});
  }
  return distance * std::sqrt(n);
}

// Cumulative law of r^-p on [a, b].
std::function<double(double)> power_law(double a, double b, double p) {
  const auto primitive = [p](double r) { return p == 1.0 ? std::log(r) : std::pow(r, 1.0 - p); };
  return [=](double r) { return (primitive(r) - primitive(a)) / (primitive(b) - primitive(a)); };
}

void expect_within(const SizeDistribution& s, const std::vector<double>& r) {
  EXPECT_GE(*std::min_element(r.begin(), r.end()), s.smallest());
  EXPECT_LE(*std::max_element(r.begin(), r.end()), s.largest());
}

TEST(Sizes, constant) {
  SizeDistribution s;
  s.low = 2.0;
  EXPECT_EQ(s.smallest(), 2.0);
  EXPECT_EQ(s.largest(), 2.0);
  for (double r : draws(s, 10)) EXPECT_EQ(r, 2.0);
}

TEST(Sizes, uniform_fills_its_interval) {
  SizeDistribution s;
  s.kind = SizeDistribution::Kind::uniform;
  s.low = 1.0;
  s.high = 3.0;
  const auto r = draws(s, 100000);
  EXPECT_GE(*std::min_element(r.begin(), r.end()), s.smallest());
  EXPECT_LE(*std::max_element(r.begin(), r.end()), s.largest());
  EXPECT_NEAR(mean(r), 2.0, 0.01);
  EXPECT_NEAR(*std::min_element(r.begin(), r.end()), 1.0, 1e-3);
  EXPECT_NEAR(*std::max_element(r.begin(), r.end()), 3.0, 1e-3);
}

TEST(Sizes, bidisperse_has_two_sizes_in_the_given_share) {
  SizeDistribution s;
  s.kind = SizeDistribution::Kind::bidisperse;
  s.low = 1.0;
  s.high = 2.0;
  s.share_of_high = 0.3;
  const auto r = draws(s, 100000);
  EXPECT_EQ(std::count(r.begin(), r.end(), 1.0) + std::count(r.begin(), r.end(), 2.0), 100000);
  EXPECT_NEAR(mean(r), 1.3, 0.01);
  s.share_of_high = 0.0;
  EXPECT_EQ(s.largest(), 1.0);
  s.share_of_high = 1.0;
  EXPECT_EQ(s.smallest(), 2.0);
  EXPECT_EQ(draws(s, 1)[0], 2.0);
}

TEST(Sizes, list_is_taken_in_order_and_again) {
  SizeDistribution s;
  s.kind = SizeDistribution::Kind::list;
  s.radii = {3, 1, 2};
  EXPECT_EQ(draws(s, 5), (std::vector<double>{3, 1, 2, 3, 1}));
  EXPECT_EQ(s.smallest(), 1.0);
  EXPECT_EQ(s.largest(), 3.0);
}

TEST(Sizes, uniform_follows_its_law) {
  SizeDistribution s;
  s.kind = SizeDistribution::Kind::uniform;
  s.low = 1.0, s.high = 3.0;
  const auto r = draws(s, 100000);
  EXPECT_LT(kolmogorov(r, power_law(1.0, 3.0, 0.0)), one_percent);
  EXPECT_GT(kolmogorov(r, power_law(1.0, 3.0, 0.1)), one_percent);  // a law nearby is told from it
}

TEST(Sizes, power_laws_of_any_exponent) {
  for (const double p : {-1.5, 0.0, 0.5, 1.0, 1.0 + 1e-6, 2.0, 2.7, 3.0, 4.0}) {
    SizeDistribution s;
    s.kind = SizeDistribution::Kind::power;
    s.low = 0.2, s.high = 5.0, s.exponent = p;
    const auto r = draws(s, 100000);
    expect_within(s, r);
    EXPECT_LT(kolmogorov(r, power_law(0.2, 5.0, p)), one_percent) << "exponent " << p;
    EXPECT_GT(kolmogorov(r, power_law(0.2, 5.0, p + 0.05)), one_percent) << "exponent " << p;
  }
}

TEST(Sizes, uniform_by_volume_has_equal_volumes_in_equal_intervals) {
  for (const int D : {2, 3}) {
    const SizeDistribution s = uniform_by_volume(1.0, 4.0, D);
    const auto r = draws(s, 200000);
    expect_within(s, r);
    double volume[6] = {}, sum = 0.0;
    for (const double x : r) volume[std::min(5, static_cast<int>(2.0 * (x - 1.0)))] += std::pow(x, D), sum += std::pow(x, D);
    for (const double v : volume) EXPECT_NEAR(v / sum, 1.0 / 6.0, 0.003) << D;
    EXPECT_LT(kolmogorov(r, power_law(1.0, 4.0, D)), one_percent) << D;
  }
}

TEST(Sizes, log_normal_between_its_cuts) {
  SizeDistribution s;
  s.kind = SizeDistribution::Kind::log_normal;
  for (const auto& [deviation, low, high] :
       {std::array{0.4, 1.0, 5.0}, {1.5, 1.0, 3.0}, {0.3, 1.99, 2.5}, {3.0, 1.9999, 2.0001}}) {
    s.median = 2.0, s.deviation = deviation, s.low = low, s.high = high;
    const auto normal = [&](double x) { return 0.5 * std::erfc(-std::log(x / s.median) / (s.deviation * std::sqrt(2.0))); };
    const auto r = draws(s, 100000);
    expect_within(s, r);
    const auto cut = [&](double x) { return (normal(x) - normal(s.low)) / (normal(s.high) - normal(s.low)); };
    EXPECT_LT(kolmogorov(r, cut), one_percent) << deviation;
    EXPECT_GT(kolmogorov(r, normal), one_percent) << deviation;  // the cuts matter
  }
}

TEST(Sizes, laws_over_sixty_decades_stay_within_their_bounds) {
  SizeDistribution s;
  s.kind = SizeDistribution::Kind::power;
  s.low = 1e-30, s.high = 1e30;
  for (const double p : {-20.0, -0.5, 1.0, 2.0, 3.0, 20.0}) {
    s.exponent = p;
    for (const double r : draws(s, 1000)) EXPECT_TRUE(r >= s.low && r <= s.high) << p << " " << r;
  }
  const SizeDistribution curve = grading_curve({1e-30, 1.0, 1e30}, {0.0, 0.5, 1.0}, true, 3);
  for (const double r : draws(curve, 1000)) EXPECT_TRUE(r >= 1e-30 && r <= 1e30) << r;
}

TEST(Sizes, bidisperse_by_volume) {
  // Equal volumes of discs of radius 1 and 2: four small ones for each large one; of balls eight.
  EXPECT_DOUBLE_EQ(number_share(0.5, 1.0, 2.0, 2), 1.0 / 5.0);
  EXPECT_DOUBLE_EQ(number_share(0.5, 1.0, 2.0, 3), 1.0 / 9.0);
  EXPECT_EQ(number_share(0.0, 1.0, 2.0, 3), 0.0);
  EXPECT_EQ(number_share(1.0, 1.0, 2.0, 3), 1.0);
}

TEST(Sizes, grading_curve_by_number_is_linear_between_its_points) {
  const SizeDistribution s = grading_curve({0.5, 1.0, 2.0, 4.0, 8.0}, {0, 0, 20, 80, 80}, false, 3);
  EXPECT_EQ(s.smallest(), 1.0);  // empty intervals at the ends do not count
  EXPECT_EQ(s.largest(), 4.0);
  const auto r = draws(s, 100000);
  expect_within(s, r);
  EXPECT_LT(kolmogorov(r, [](double x) { return x < 2.0 ? 0.25 * (x - 1.0) : 0.25 + 0.75 * (x - 2.0) / 2.0; }), one_percent);
}

TEST(Sizes, grading_curve_by_volume_holds_the_volumes_it_says) {
  for (const int D : {2, 3}) {
    const SizeDistribution s = grading_curve({1.0, 2.0, 3.0, 5.0}, {0.0, 0.5, 0.5, 1.0}, true, D);
    const auto r = draws(s, 200000);
    double sum = 0.0, below[3] = {};  // 1.5, 2, 4: a quarter, a half, three quarters of the volume
    for (const double x : r) {
      const double v = std::pow(x, D);
      sum += v;
      if (x < 1.5) below[0] += v;
      if (x < 2.0) below[1] += v;
      if (x < 4.0) below[2] += v;
      EXPECT_FALSE(x > 2.0 && x < 3.0);
    }
    EXPECT_NEAR(below[0] / sum, 0.25, 0.004) << D;
    EXPECT_NEAR(below[1] / sum, 0.50, 0.004) << D;
    EXPECT_NEAR(below[2] / sum, 0.75, 0.004) << D;
  }
}

}  // namespace
}  // namespace moreau
