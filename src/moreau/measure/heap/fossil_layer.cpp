#include "moreau/measure/heap/fossil_layer.hpp"

#include <cmath>
#include <map>

namespace moreau::measure {

LayerLine layer_line(const std::vector<FossilGrain>& layer, double width) {
  struct Class {
    double sum = 0.0, squares = 0.0;
    std::size_t grains = 0;
  };
  std::map<long, Class> classes;
  for (const FossilGrain& grain : layer) {
    Class& k = classes[static_cast<long>(std::floor(grain.x / width))];
    k.sum += grain.z, k.squares += grain.z * grain.z, ++k.grains;
  }
  LayerLine line;
  for (const auto& [index, k] : classes) {
    const double n = static_cast<double>(k.grains), mean = k.sum / n;
    line.x.push_back((static_cast<double>(index) + 0.5) * width);
    line.height.push_back(mean);
    line.spread.push_back(std::sqrt(std::max(0.0, k.squares / n - mean * mean)));
    line.grains.push_back(k.grains);
  }
  return line;
}

}  // namespace moreau::measure
