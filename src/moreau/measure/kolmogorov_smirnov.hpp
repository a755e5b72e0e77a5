// Kolmogorov-Smirnov tests: the largest distance between two cumulative distributions, and the probability P of a distance as
// large if both were the same law. P < 0.05 rejects (Combe 2001, sec. 2.3).
//   P = Q((sqrt(n) + 0.12 + 0.11 / sqrt(n)) distance),  Q(x) = 2 sum (-1)^(j-1) exp(-2 j^2 x^2)      (Stephens 1970)
// For a law whose parameters were fitted to the same values, P is too large: it then can reject but not confirm.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace moreau::measure {

struct KolmogorovSmirnov {
  double distance = 0.0;
  double likelihood = 1.0;  // P
};

// `values` in any order; `cumulative` is the law.
KolmogorovSmirnov compare_with_law(std::vector<double> values, const std::function<double(double)>& cumulative);
KolmogorovSmirnov compare_samples(std::vector<double> first, std::vector<double> second);

double kolmogorov_likelihood(double distance, double count);

}  // namespace moreau::measure
