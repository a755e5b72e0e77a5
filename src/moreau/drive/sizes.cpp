#include "moreau/drive/sizes.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/base/elementary.hpp"

namespace moreau::inline drive {

namespace {

// The share u of the law r^-exponent on [low, high] is below the result. The exponents of discs and balls by volume, 2 and 3,
// need no logarithm.
double power_quantile(double u, double low, double high, double exponent) {
  double r = 0.0;
  if (exponent == 0.0) {
    r = low + (high - low) * u;
  } else if (exponent == 2.0) {
    r = low * high / (high - (high - low) * u);
  } else if (exponent == 3.0) {
    r = low * high / std::sqrt(high * high - (high * high - low * low) * u);
  } else {
    const double q = 1.0 - exponent, ratio = logarithm(high / low);
    if (std::abs(q * ratio) < 1e-8)  // 1/r to rounding
      r = low * exponential(u * ratio);
    else if (q < 0.0)  // from the end where most grains are, so that no power overflows
      r = low * power(1.0 - u * (1.0 - exponential(q * ratio)), 1.0 / q);
    else
      r = high * power(std::max(1e-300, u + (1.0 - u) * exponential(-q * ratio)), 1.0 / q);
  }
  return std::clamp(r, low, high);
}

// Marsaglia's polar method.
double normal_deviate(RandomStream& random) {
  double x, square;
  do {
    x = random.uniform(-1.0, 1.0);
    const double y = random.uniform(-1.0, 1.0);
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  return x * std::sqrt(-2.0 * logarithm(square) / square);
}

// ln(radius) is normal, cut to [low, high] by rejection: from the normal law where the cuts leave much of it (they hold its
// median), from a uniform one where they leave little. Both accept more than a third of the trials.
double log_normal(const SizeDistribution& s, RandomStream& random) {
  const double width = logarithm(s.high / s.low);
  for (;;) {
    double r = 0.0;
    if (width > s.deviation) {
      r = s.median * exponential(s.deviation * normal_deviate(random));
    } else {
      r = s.low * exponential(width * random.uniform());
      const double z = logarithm(r / s.median) / s.deviation;
      if (random.uniform() >= exponential(-0.5 * z * z)) continue;
    }
    if (r >= s.low && r <= s.high) return r;
  }
}

double in_dimension(double r, int D) { return D == 2 ? r * r : r * r * r; }

}  // namespace

double SizeDistribution::largest() const {
  switch (kind) {
    case Kind::constant:
      return low;
    case Kind::bidisperse:
      return share_of_high > 0.0 ? high : low;
    case Kind::list:
      return *std::max_element(radii.begin(), radii.end());
    case Kind::curve:
      return radii.back();
    case Kind::uniform:
    case Kind::power:
    case Kind::log_normal:
      break;
  }
  return high;
}

double SizeDistribution::smallest() const {
  switch (kind) {
    case Kind::bidisperse:
      return share_of_high < 1.0 ? low : high;
    case Kind::list:
      return *std::min_element(radii.begin(), radii.end());
    case Kind::curve:
      return radii.front();
    case Kind::constant:
    case Kind::uniform:
    case Kind::power:
    case Kind::log_normal:
      break;
  }
  return low;
}

double SizeDistribution::draw(RandomStream& random, std::uint64_t index) const {
  switch (kind) {
    case Kind::constant:
      return low;
    case Kind::uniform:
      return random.uniform(low, high);
    case Kind::bidisperse:
      return random.uniform() < share_of_high ? high : low;
    case Kind::list:
      return radii[static_cast<std::size_t>(index % radii.size())];
    case Kind::power:
      return power_quantile(random.uniform(), low, high, exponent);
    case Kind::log_normal:
      return log_normal(*this, random);
    case Kind::curve: {
      const double u = random.uniform();
      const auto above = std::upper_bound(shares.begin(), shares.end() - 1, u);
      const std::size_t i = static_cast<std::size_t>(above - shares.begin()) - 1;
      return power_quantile((u - shares[i]) / (shares[i + 1] - shares[i]), radii[i], radii[i + 1], exponent);
    }
  }
  return low;
}

double number_share(double volume_share, double low, double high, int D) {
  const double large = volume_share / in_dimension(high, D), small = (1.0 - volume_share) / in_dimension(low, D);
  return large / (large + small);
}

SizeDistribution uniform_by_volume(double low, double high, int D) {
  SizeDistribution sizes;
  sizes.kind = SizeDistribution::Kind::power;
  sizes.low = low, sizes.high = high;
  sizes.exponent = D;
  return sizes;
}

// The volume w of an interval [a, b], spread evenly, is that of w/(b - a) integral r^-D dr grains (up to a constant).
SizeDistribution grading_curve(std::vector<double> radii, const std::vector<double>& passing, bool by_volume, int D) {
  SizeDistribution sizes;
  sizes.kind = SizeDistribution::Kind::curve;
  sizes.exponent = by_volume ? D : 0.0;
  double sum = 0.0;
  sizes.shares.push_back(0.0);
  for (std::size_t i = 0; i + 1 < radii.size(); ++i) {
    const double a = radii[i], b = radii[i + 1], scale = radii.front() / a;  // of magnitude 1, whatever the unit
    double weight = passing[i + 1] - passing[i];
    if (by_volume) weight *= D == 2 ? scale * scale * a / b : scale * scale * scale * a * (a + b) / (2.0 * b * b);
    sizes.shares.push_back(sum += weight);
  }
  for (double& share : sizes.shares) share /= sum;
  // Empty intervals at either end hold no size.
  while (sizes.shares[1] <= 0.0) sizes.shares.erase(sizes.shares.begin()), radii.erase(radii.begin());
  while (sizes.shares[sizes.shares.size() - 2] >= 1.0) sizes.shares.pop_back(), radii.pop_back();
  sizes.radii = std::move(radii);
  sizes.low = sizes.radii.front(), sizes.high = sizes.radii.back();
  return sizes;
}

}  // namespace moreau::inline drive
