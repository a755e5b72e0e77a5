// Laws of grain sizes: bounds hold, moments are those of the law.
#include <gtest/gtest.h>

#include <algorithm>

#include "moreau/drive/source.hpp"

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

}  // namespace
}  // namespace moreau
