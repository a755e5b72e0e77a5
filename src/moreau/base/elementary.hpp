// Elementary functions made of exactly rounded operations alone (+ - x / sqrt and powers of two), so that they give the same bits
// wherever the program runs: those of the system's library differ between libraries, and within one between processors.
//
// Errors in units in the last place: sine and cosine below 1, exponential and logarithm below 2, arctangent below 5. Arguments
// are reduced as far as a short series needs; series are Taylor's, long enough for double precision, summed from the smallest
// term. Tested in tests/base/elementary_test.cpp.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "moreau/base/inline.hpp"

namespace moreau::inline base {

struct SineCosine {
  double sine, cosine;
};

namespace elementary {

// a * b = product + error, exactly (Dekker 1971); no overflow below 1e290.
struct Product {
  double product, error;
};
MOREAU_BOTH inline Product exact_product(double a, double b) {
  const double split = 134217729.0;  // 2^27 + 1
  const double ca = split * a, a_high = ca - (ca - a), a_low = a - a_high;
  const double cb = split * b, b_high = cb - (cb - b), b_low = b - b_high;
  const double p = a * b;
  return {p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

MOREAU_BOTH inline double round_to_integer(double x) {  // for |x| < 2^51
  const double large = 6755399441055744.0;              // 1.5 2^52
  return (x + large) - large;
}

// |x| <= pi/4, x + low.
MOREAU_BOTH inline SineCosine series(double x, double low) {
  static constexpr double of_sine[] = {-1.0 / 6.0,   -1.0 / 20.0,  -1.0 / 42.0,  -1.0 / 72.0,
                                       -1.0 / 110.0, -1.0 / 156.0, -1.0 / 210.0, -1.0 / 272.0};
  static constexpr double of_cosine[] = {-1.0 / 12.0,  -1.0 / 30.0,  -1.0 / 56.0, -1.0 / 90.0,
                                         -1.0 / 132.0, -1.0 / 182.0, -1.0 / 240.0};
  const double square = x * x, half = 0.5 * square, whole = 1.0 - half;
  // x + x^3 s and 1 - x^2/2 + x^4 c, the leading terms added last.
  double s = 1.0, c = 1.0;
  for (int i = 7; i >= 1; --i) s = 1.0 + s * (square * of_sine[i]);
  for (int i = 6; i >= 1; --i) c = 1.0 + c * (square * of_cosine[i]);
  const double sine = x + (x * square * (s * of_sine[0]) + low * whole);
  const double fourth = half * square * c * (-of_cosine[0]);
  const double cosine = whole + (((1.0 - whole) - half) + (fourth - x * low));
  return {sine, cosine};
}

}  // namespace elementary

MOREAU_BOTH inline SineCosine sine_cosine(double x) {
  if (!(std::abs(x) < 1e15))
    return x - x == 0.0 ? SineCosine{0.0, 1.0} : SineCosine{x - x, x - x};  // no digit of the angle is left
  // x = k pi/2 + r, pi/2 in three parts of 53 bits.
  constexpr double first = 1.5707963267948966, second = 6.123233995736766e-17, third = -1.4973849048591833e-33;
  const double k = elementary::round_to_integer(x * (2.0 / std::numbers::pi));
  const elementary::Product p = elementary::exact_product(k, first), q = elementary::exact_product(k, second);
  const double a = x - p.product;  // exact: both are near each other, or k is 0
  const double b = a - p.error, b_low = (a - b) - p.error;
  const double r = b - q.product, r_low = ((b - r) - q.product) + (b_low - q.error - k * third);
  const double high = r + r_low, low = r_low - (high - r);
  const SineCosine at = elementary::series(high, low);
  switch (static_cast<long long>(k) & 3) {
    case 0:
      return at;
    case 1:
      return {at.cosine, -at.sine};
    case 2:
      return {-at.sine, -at.cosine};
    default:
      return {-at.cosine, at.sine};
  }
}
MOREAU_BOTH inline double sine(double x) { return sine_cosine(x).sine; }
MOREAU_BOTH inline double cosine(double x) { return sine_cosine(x).cosine; }

// e^x
inline double exponential(double x) {
  if (x > 709.8) return std::numeric_limits<double>::infinity();
  if (x < -746.0) return 0.0;
  if (!(x == x)) return x;
  constexpr double high = 0.6931471803691238, low = 1.9082149292705877e-10;  // ln 2: the first with 21 zeros at its end
  const double k = elementary::round_to_integer(x * (1.0 / std::numbers::ln2));
  const double r = (x - k * high) - k * low;
  double sum = 1.0;
  for (int i = 14; i >= 2; --i) sum = 1.0 + sum * (r / i);
  return std::ldexp(1.0 + r * sum, static_cast<int>(k));
}

// ln x
inline double logarithm(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (x > std::numeric_limits<double>::max()) return x;
  int exponent;
  double m = std::frexp(x, &exponent);
  if (m < std::numbers::sqrt2 / 2.0) m *= 2.0, --exponent;
  // ln m = 2 artanh s
  const double f = m - 1.0, s = f / (m + 1.0), square = s * s;
  double sum = 1.0 / 25.0;
  for (int i = 23; i >= 3; i -= 2) sum = 1.0 / i + square * sum;
  constexpr double high = 0.6931471803691238, low = 1.9082149292705877e-10;
  const double k = exponent;
  return k * high + (2.0 * s + (2.0 * s * square * sum + k * low));
}

// base > 0
inline double power(double base, double exponent) { return exponential(exponent * logarithm(base)); }

// The angle of (x, y) in (-pi, pi].
inline double arctangent(double y, double x) {
  constexpr double pi = std::numbers::pi;
  if (x != x || y != y) return x + y;
  const double a = std::abs(x), b = std::abs(y), small = a < b ? a : b, large = a < b ? b : a;
  double angle = 0.0;
  if (small > 0.0) {
    double t = std::isinf(small) ? 1.0 : small / large;
    // Twice to the tangent of half the angle: t <= tan(pi/16).
    t = t / (1.0 + std::sqrt(1.0 + t * t));
    t = t / (1.0 + std::sqrt(1.0 + t * t));
    const double square = t * t;
    double sum = 1.0 / 25.0;
    for (int i = 23; i >= 3; i -= 2) sum = 1.0 / i - square * sum;
    angle = 4.0 * (t - t * square * sum);
  }
  if (b > a) angle = pi / 2.0 - angle;
  if (std::signbit(x)) angle = pi - angle;
  return std::copysign(angle, y);
}
inline double arcsine(double x) { return arctangent(x, std::sqrt((1.0 - x) * (1.0 + x))); }
inline double arccosine(double x) { return arctangent(std::sqrt((1.0 - x) * (1.0 + x)), x); }

// sqrt(a^2 + b^2) without overflow.
MOREAU_BOTH inline double hypotenuse(double a, double b) {
  const double square = a * a + b * b;
  if (square > 1e-280 && square < 1e280) return std::sqrt(square);
  const double larger = std::fmax(std::abs(a), std::abs(b));
  if (larger == 0.0 || std::isinf(larger) || larger != larger) return larger;
  int exponent;
  std::frexp(larger, &exponent);
  const double x = std::ldexp(a, -exponent), y = std::ldexp(b, -exponent);
  return std::ldexp(std::sqrt(x * x + y * y), exponent);
}

// Of half the angle of (x, y), which is in (-pi/2, pi/2].
MOREAU_BOTH inline SineCosine half_angle(double y, double x) {
  const double length = hypotenuse(x, y);
  if (length == 0.0) return {0.0, 1.0};
  const double larger = std::sqrt(0.5 * (1.0 + std::abs(x) / length)), smaller = 0.5 * std::abs(y) / (length * larger);
  return x >= 0.0 ? SineCosine{std::copysign(smaller, y), larger} : SineCosine{std::copysign(larger, y), smaller};
}

}  // namespace moreau::inline base
