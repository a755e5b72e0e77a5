// Volume of a periodic cell to which its stress belongs.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "moreau/dynamics/model.hpp"

namespace moreau::inline dynamics {

// Across directions that are not periodic it reaches from wall to wall, displaced so, where there is one on either side.
template <int D>
double cell_volume(const Model<D>& model, const std::vector<Vec<D>>& wall_shift, const Lattice<D>& lattice) {
  double volume = lattice.volume();
  for (int d = 0; d < D; ++d) {
    if (lattice.periodic[d]) continue;
    double low = -HUGE_VAL, high = HUGE_VAL;
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
      const WallGeometry<D>& wall = model.walls[w].geometry;
      if (wall.shape != WallShape::plane) continue;
      const double at = wall.point[d] + wall_shift[w][d];
      if (wall.direction[d] == 1.0) low = std::max(low, at);
      if (wall.direction[d] == -1.0) high = std::min(high, at);
    }
    if (std::isfinite(low) && std::isfinite(high)) volume *= (high - low) / lattice.vectors.row[d][d];
  }
  return volume;
}

}  // namespace moreau::inline dynamics
