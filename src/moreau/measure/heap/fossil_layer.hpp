// Fossil layers: the grains born in a time window, as they lie later in a vertical slice through the axis (Moreau 2003, fig. 3).
// The slice is normal to y and holds the centres within half its thickness of the axis; in the plane it is everything.
#pragma once

#include "moreau/measure/packing/sample.hpp"

namespace moreau::measure {

struct FossilGrain {
  std::size_t body = 0;
  double x = 0.0, z = 0.0;  // x from the axis, with its sign; z up
  double birth = 0.0;
};

template <int D>
std::vector<FossilGrain> fossil_layer(const Sample<D>& sample, double born_from, double born_to, double thickness,
                                      const Vec<D>& centre) {
  std::vector<FossilGrain> layer;
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    const double birth = sample.parameters->birth[i];
    const Vec<D>& x = sample.state->position[i];
    if (!sample.is_free(i) || !(birth >= born_from && birth < born_to)) continue;
    if (D == 3 && std::abs(x[1] - centre[1]) > 0.5 * thickness) continue;
    layer.push_back({i, x[0] - centre[0], x[D - 1], birth});
  }
  return layer;
}

// The layer as a line: by classes of x of equal width, the mean height and its spread.
struct LayerLine {
  std::vector<double> x, height, spread;
  std::vector<std::size_t> grains;
};
LayerLine layer_line(const std::vector<FossilGrain>& layer, double width);

}  // namespace moreau::measure
