// Distribution of contact forces x = f / <f>, and the laws proposed for it.
//
//   whole       p(x) = C x^b exp(-c x^d)                      (Combe 2001, eq. 2.5; published best: b 0.172, c 0.72 (f/pa),
//   d 2.016) tail        p(x) ~ exp(-beta x)       for x > 1           (Radjai 1996: beta 1.4; Combe 2001, eq. 2.4) small p(x) ~
//   x^alpha            for 0 < x <= 0.1    (Combe 2001: alpha 0.14)
//
// Parameters are those of maximum likelihood.
#pragma once

#include <string>
#include <vector>

#include "moreau/measure/kolmogorov_smirnov.hpp"

namespace moreau::measure {

struct ForceStatistics {
  std::size_t count = 0;
  double mean = 0.0, deviation = 0.0, largest = 0.0;
  double share_above_mean = 0.0;
};

struct PowerExponential {  // p(x) = C x^b exp(-c x^d), x > 0
  double b = 0.0, c = 1.0, d = 1.0;
  double density(double x) const;
  double cumulative(double x) const;
};

struct TailFit {  // exponential beyond `from`, or power law up to `to`
  double exponent = 0.0, uncertainty = 0.0;
  std::size_t count = 0;
  KolmogorovSmirnov test;
};

struct ForceHistogram {
  std::vector<double> from, to, density;  // probability density of x = f / <f>
  std::vector<std::size_t> count;
};

ForceStatistics force_statistics(const std::vector<double>& forces);
std::vector<double> divided_by_mean(std::vector<double> forces);  // zero and negative forces left out

PowerExponential fit_power_exponential(const std::vector<double>& x);
TailFit fit_exponential_tail(const std::vector<double>& x, double from = 1.0);
TailFit fit_small_power(const std::vector<double>& x, double to = 0.1);
// The published laws, nothing fitted.
PowerExponential published_bulk_law();  // frictionless isotropic discs, in units of the published mean 0.740 p a
KolmogorovSmirnov test_exponential_tail(const std::vector<double>& x, double beta, double from = 1.0);

ForceHistogram force_histogram(const std::vector<double>& x, int classes, double largest);

}  // namespace moreau::measure
