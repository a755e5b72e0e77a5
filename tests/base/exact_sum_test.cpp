#include "moreau/base/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "moreau/base/parallel.hpp"

namespace moreau {
namespace {

template <class Real>
std::vector<Real> terms_over(double decades, std::size_t count, unsigned seed, bool with_signs = true) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> exponent(-decades, decades), sign(-1.0, 1.0);
  std::vector<Real> terms(count);
  for (Real& x : terms) x = static_cast<Real>(std::pow(10.0, exponent(random)) * (with_signs && sign(random) < 0.0 ? -1.0 : 1.0));
  return terms;
}

template <class Real, int digits>
ExactSum<Real, digits> one_by_one(const std::vector<Real>& terms) {
  ExactSum<Real, digits> sum;
  for (const Real x : terms) sum.add(x);
  return sum;
}

template <class Real, int digits>
ExactSum<Real, digits> in_rows(const std::vector<Real>& terms, std::size_t rows) {
  ExactSum<Real, digits> sum;
  const std::size_t many = static_cast<std::size_t>(lanes_of<Real>);
  for (std::size_t first = 0; first < terms.size(); first += rows * many) {
    std::vector<RowOf<Real>> block(rows, RowOf<Real>{});
    for (std::size_t i = first; i < std::min(terms.size(), first + rows * many); ++i)
      block[(i - first) / many].c[(i - first) % many] = terms[i];
    sum.add(reinterpret_cast<const LanesOf<Real>*>(block.data()), rows);
  }
  return sum;
}

template <class Real, int digits>
void same_in_every_order(double decades) {
  std::mt19937_64 random(7);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::vector<Real> terms = terms_over<Real>(decades, 1 + seed * 37, seed);
    const double expected = one_by_one<Real, digits>(terms).value();
    for (int k = 0; k < 5; ++k) {
      std::shuffle(terms.begin(), terms.end(), random);
      EXPECT_EQ((one_by_one<Real, digits>(terms).value()), expected);
      EXPECT_EQ((in_rows<Real, digits>(terms, 1 + static_cast<std::size_t>(k)).value()), expected);
      const std::size_t cut = random() % terms.size();
      ExactSum<Real, digits> parts = one_by_one<Real, digits>({terms.begin() + static_cast<std::ptrdiff_t>(cut), terms.end()});
      parts += in_rows<Real, digits>({terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(cut)}, 3);
      EXPECT_EQ(parts.value(), expected);
    }
  }
}

TEST(ExactSum, is_the_same_in_every_order) {
  same_in_every_order<double, 2>(1.0);
  same_in_every_order<double, 2>(30.0);
  same_in_every_order<double, 3>(100.0);
  same_in_every_order<float, 2>(1.0);
  same_in_every_order<float, 2>(12.0);
}

// Halves of units, where rounding has to choose.
TEST(ExactSum, ties_are_the_same_in_every_order) {
  std::vector<double> terms;
  for (int k = -70; k <= 70; ++k)
    for (int n = 1; n <= 5; n += 2) terms.push_back(n * std::ldexp(0.5, k)), terms.push_back(-n * std::ldexp(0.5, k));
  terms.push_back(std::ldexp(1.0, 64)), terms.push_back(3.0 * std::ldexp(1.0, -1));
  std::mt19937_64 random(3);
  const double expected = one_by_one<double, 2>(terms).value();
  for (int k = 0; k < 200; ++k) {
    std::shuffle(terms.begin(), terms.end(), random);
    ASSERT_EQ((one_by_one<double, 2>(terms).value()), expected);
    ASSERT_EQ((in_rows<double, 2>(terms, 2).value()), expected);
  }
}

TEST(ExactSum, is_as_exact_as_its_digits) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const std::vector<double> terms = terms_over<double>(4.0, 1000, seed);
    long double plain = 0.0L, largest = 0.0L;
    for (const double x : terms) plain += x, largest = std::max<long double>(largest, std::abs(x));
    EXPECT_LE(std::abs((one_by_one<double, 2>(terms).value()) - static_cast<double>(plain)), 1000 * 1.2e-10 * largest);
    EXPECT_LE(std::abs((one_by_one<double, 3>(terms).value()) - static_cast<double>(plain)), 1e-15 * largest);
  }
}

TEST(ExactSum, integers_are_summed_without_error) {
  ExactSum<double, 2> sum;
  std::int64_t expected = 0;
  for (int k = -100000; k < 200000; k += 7) sum.add(k), expected += k;
  EXPECT_EQ(sum.value(), static_cast<double>(expected));
  EXPECT_EQ((ExactSum<double, 2>{}.value()), 0.0);
}

TEST(ExactSum, what_is_no_number_stays_none) {
  for (const double strange : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    ExactSum<double, 3> sum;
    sum.add(1.0), sum.add(strange), sum.add(2.0);
    EXPECT_TRUE(std::isnan(sum.value()));
    EXPECT_TRUE(std::isnan(in_rows<double, 2>({1.0, strange, 3.0}, 1).value()));
    EXPECT_TRUE(std::isnan(in_rows<float, 2>({1.0f, static_cast<float>(strange), 3.0f}, 2).value()));
  }
}

TEST(ExactSum, zeros_have_no_sign) {
  for (const double zero : {0.0, -0.0}) {
    ExactSum<double, 3> sum;
    sum.add(zero), sum.add(0.25);
    EXPECT_EQ(sum.value(), 0.25);
    EXPECT_EQ((in_rows<double, 2>({zero, 0.25}, 1).value()), 0.25);
    EXPECT_EQ((in_rows<float, 2>({static_cast<float>(zero)}, 1).value()), 0.0);
  }
}

TEST(ExactSum, terms_gathered_one_by_one) {
  const std::vector<double> terms = terms_over<double>(20.0, 777, 5);
  TermSum<3> gathered;
  for (const double x : terms) gathered.add(x);
  EXPECT_EQ(gathered.sum().value(), (one_by_one<double, 3>(terms).value()));
}

TEST(ExactSum, is_the_same_on_any_number_of_threads) {
  const std::vector<double> terms = terms_over<double>(10.0, 100000, 11);
  const double expected = one_by_one<double, 2>(terms).value();
  for (const std::size_t chunk : {7, 100, 4096, 200000}) {
    const auto sum = sum_chunks<ExactSum<double, 2>>(terms.size(), chunk, [&](std::size_t begin, std::size_t end, auto& mine) {
      for (std::size_t i = begin; i < end; ++i) mine.add(terms[i]);
    });
    EXPECT_EQ(sum.value(), expected);
    const Team team;
    const auto shared = sum_chunks<ExactSum<double, 2>>(terms.size(), chunk, [&](std::size_t begin, std::size_t end, auto& mine) {
      for (std::size_t i = begin; i < end; ++i) mine.add(terms[i]);
    });
    EXPECT_EQ(shared.value(), expected);
  }
}

}  // namespace
}  // namespace moreau
