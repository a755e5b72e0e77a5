// Laws of the sizes of grains, used by groups, floors and sources.
#pragma once

#include <cstdint>
#include <vector>

#include "moreau/base/random.hpp"

namespace moreau::inline drive {

struct SizeDistribution {
  enum class Kind { constant, uniform, bidisperse, list, power, log_normal, curve } kind = Kind::constant;
  double low = 0.0, high = 0.0;  // radii: constant uses low; bidisperse takes low or high; the others draw in [low, high]
  double share_of_high = 0.5;    // bidisperse: probability of the radius `high`
  std::vector<double> radii;     // list: taken in order, then again from the first; curve: borders of the intervals
  double exponent = 0.0;         // power; curve, within each interval: number of grains per unit of radius ~ radius^-exponent
  double median = 0.0;           // log-normal, before it is cut to [low, high]
  double deviation = 0.0;        // log-normal: standard deviation of ln(radius)
  std::vector<double> shares;    // curve: share of the grains, by number, that are smaller than each of `radii`; from 0 to 1

  double largest() const;
  double smallest() const;
  double draw(RandomStream& random, std::uint64_t index) const;
};

// The probability of the radius `high` when it holds this share of the volume of all grains in D dimensions.
double number_share(double volume_share, double low, double high, int D);

// A grading curve: `passing` is what is smaller than each of `radii`, from 0 on and not decreasing, in any unit. It counts
// grains, uniform over each interval; or, `by_volume`, their volume in D dimensions, with equal volumes in equal parts of an
// interval.
SizeDistribution grading_curve(std::vector<double> radii, const std::vector<double>& passing, bool by_volume, int D);

// Every part of [low, high] holds as much volume as any other part of equal length: a power law of exponent D.
SizeDistribution uniform_by_volume(double low, double high, int D);

}  // namespace moreau::inline drive
