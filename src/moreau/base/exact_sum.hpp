// Sums that do not depend on the order of their terms, so that threads, the blocks of a card and ranks need not agree on one.
//
// Numbers are cut into digits of `bits` bits on a fixed grid of powers of two; a sum keeps the `digits` leading ones, counted
// from the largest term, as integers. Digits of different terms are added without rounding, and those below the last one are
// dropped from each term alike, whatever came before it (Demmel and Nguyen 2013, reproducible summation). The error is at most n
// 2^(-bits (digits - 1)) of the largest term: 2e-10 with two digits in double precision, 5e-20 with three, 1.5e-5 with two in
// single.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "moreau/base/inline.hpp"
#include "moreau/base/lanes.hpp"

namespace moreau::inline base {

template <class Real>
struct DigitsOf;
template <>
struct DigitsOf<double> {
  using Bits = std::uint64_t;
  static constexpr int bits = 32, mantissa = 52, bias = 1023;
  static constexpr int tiers = 29;            // of numbers that can be added: below 2^(bits tiers) / 2
  static constexpr int most_terms = 1 << 16;  // whose digits a Real can hold
};
template <>
struct DigitsOf<float> {
  using Bits = std::uint32_t;
  static constexpr int bits = 16, mantissa = 23, bias = 127;
  static constexpr int tiers = 6;
  static constexpr int most_terms = 1 << 6;
};

// 2^n, a number without denormalised digits.
template <class Real>
MOREAU_INLINE Real power_of_two(int n) {
  using Of = DigitsOf<Real>;
  const typename Of::Bits pattern = static_cast<typename Of::Bits>(n + Of::bias) << Of::mantissa;
  Real x;
  __builtin_memcpy(&x, &pattern, sizeof(x));
  return x;
}

MOREAU_INLINE double not_a_number() {
  const std::uint64_t pattern = 0x7ff8000000000000;
  double x;
  __builtin_memcpy(&x, &pattern, sizeof(x));
  return x;
}

template <class Real, int digits = 2>
struct ExactSum {
  using Of = DigitsOf<Real>;
  static constexpr int bits = Of::bits;
  static constexpr int lowest = digits - Of::tiers;  // of the tiers: smaller numbers are dropped

  std::int64_t digit[digits] = {};  // number k counts 2^(bits (tier - 1 - k))
  std::int32_t tier = lowest;       // all terms are below half of 2^(bits tier), so that they are none of its multiples
  std::int32_t strange = 0;         // terms that are infinite, not numbers, or too large

  MOREAU_INLINE static Real too_large() { return power_of_two<Real>(bits * Of::tiers - 1); }
  // The least tier of a number not below zero, -0 among them.
  MOREAU_INLINE static int tier_of(Real largest) {
    typename Of::Bits pattern;
    __builtin_memcpy(&pattern, &largest, sizeof(pattern));
    const int exponent = static_cast<int>((pattern << 1) >> (Of::mantissa + 1)) - Of::bias + 2;  // largest < 2^exponent / 2
    const int shifted = exponent + bits * Of::tiers;  // from which division truncates downwards
    const int tier = (shifted > 0 ? (shifted + bits - 1) / bits : 0) - Of::tiers;
    return tier < lowest ? lowest : tier;
  }
  MOREAU_INLINE static Real unit(int tier, int k) { return power_of_two<Real>(bits * (tier - 1 - k)); }
  // (x + rounder) - rounder is x to the nearest multiple of the unit.
  MOREAU_INLINE static Real rounder(int tier, int k) {
    return static_cast<Real>(1.5) * power_of_two<Real>(bits * (tier - 1 - k) + Of::mantissa);
  }

  MOREAU_INLINE void raise(int to) {
    const int shift = to - tier;
    if (shift <= 0) return;
    for (int k = digits - 1; k >= 0; --k) {  // no index that is not known to the compiler: a card keeps digits in registers
      std::int64_t moved = 0;
      for (int j = 0; j < k; ++j) moved = k - j == shift ? digit[j] : moved;
      digit[k] = moved;
    }
    tier = to;
  }
  MOREAU_INLINE void add(Real x) {
    const Real size = x > 0 ? x : Real(0) - x;  // also of -0
    if (!(size < too_large())) {
      ++strange;
      return;
    }
    raise(tier_of(size));
    for (int k = 0; k < digits; ++k) {
      const Real round = rounder(tier, k), whole = (x + round) - round;
      digit[k] += static_cast<std::int64_t>(whole * power_of_two<Real>(-bits * (tier - 1 - k)));
      x -= whole;
    }
  }
  MOREAU_INLINE ExactSum& operator+=(const ExactSum& o) {
    raise(o.tier);
    const int shift = tier - o.tier;
    for (int k = 0; k < digits; ++k)
      for (int j = 0; j <= k; ++j) digit[k] += k - j == shift ? o.digit[j] : 0;
    strange += o.strange;
    return *this;
  }

  MOREAU_INLINE double value() const {
    if (strange != 0) return not_a_number();
    std::int64_t carried[digits];
    std::int64_t carry = 0;
    for (int k = digits - 1; k > 0; --k) {  // the same digits, whichever way the sum came about
      const std::int64_t all = digit[k] + carry;
      carry = all >> bits;
      carried[k] = all - (carry << bits);
    }
    carried[0] = digit[0] + carry;
    double sum = 0.0;
    for (int k = digits - 1; k >= 0; --k) sum += static_cast<double>(carried[k]) * static_cast<double>(unit(tier, k));
    return sum;
  }

#ifndef __CUDACC__
  // All numbers of `count` rows of lanes, at most most_terms.
  void add(const LanesOf<Real>* rows, std::size_t count);
#endif
};

#ifndef __CUDACC__

// Gathers terms one by one and adds many at a time.
template <int digits = 3>
class TermSum {
 public:
  MOREAU_INLINE void add(double x) {
    term_[count_] = x;
    if (++count_ == capacity) settle();
  }
  ExactSum<double, digits> sum() {
    settle();
    return sum_;
  }

 private:
  static constexpr std::size_t capacity = 16 * lanes;
  void settle() {
    for (; count_ % lanes != 0; ++count_) term_[count_] = 0.0;
    sum_.add(reinterpret_cast<const Lanes*>(term_), count_ / lanes);
    count_ = 0;
  }
  alignas(lane_bytes) double term_[capacity];
  std::size_t count_ = 0;
  ExactSum<double, digits> sum_;
};

#endif

}  // namespace moreau::inline base
