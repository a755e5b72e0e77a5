// Logarithm, exponential and power from additions, multiplications and divisions alone: the same bits on every machine, which the
// functions of the C library do not promise. For random draws; accurate to a few units in the last place.
#pragma once

#include <cmath>
#include <numbers>

namespace moreau {

// x > 0. With x = m 2^e and s = (m - 1)/(m + 1), |s| < 0.172: ln m = 2 (s + s^3/3 + s^5/5 + ...).
inline double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.5 * std::numbers::sqrt2) m *= 2.0, --exponent;
  const double s = (m - 1.0) / (m + 1.0), square = s * s;
  double sum = 0.0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return exponent * std::numbers::ln2 + 2.0 * s * sum;
}

// x = n ln 2 + r, |r| <= ln 2 / 2: 2^n times the series of e^r.
inline double portable_exp(double x) {
  const double n = std::floor(x / std::numbers::ln2 + 0.5), r = x - n * std::numbers::ln2;
  double sum = 1.0;
  for (int k = 17; k >= 1; --k) sum = 1.0 + sum * r / k;
  return std::ldexp(sum, static_cast<int>(n));
}

// base > 0.
inline double portable_power(double base, double exponent) { return portable_exp(exponent * portable_log(base)); }

}  // namespace moreau
