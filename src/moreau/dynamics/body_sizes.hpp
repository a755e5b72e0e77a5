// Lengths by which bodies are measured: of the free ones.
#pragma once

#include <algorithm>

#include "moreau/bodies/bodies.hpp"

namespace moreau::inline dynamics {

// Mean diameter; 1 if no body is free.
template <int D>
double mean_diameter(const Bodies<D>& bodies) {
  double sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i)) sum += 2.0 * bodies.parameters.radius[i], count += 1.0;
  return count > 0.0 ? sum / count : 1.0;
}

template <int D>
double smallest_radius(const Bodies<D>& bodies) {
  double least = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i)) least = least > 0.0 ? std::min(least, bodies.parameters.radius[i]) : bodies.parameters.radius[i];
  return least > 0.0 ? least : 1.0;
}

}  // namespace moreau::inline dynamics
