#include "moreau/measure/quantity.hpp"

namespace moreau::measure {

template <int D>
const std::vector<Quantity<D>>& quantities() {
  static const std::vector<Quantity<D>> list = [] {
    std::vector<Quantity<D>> all;
    add_stress_quantities(all);
    add_loading_quantities(all);
    add_packing_quantities(all);
    add_contact_quantities(all);
    add_motion_quantities(all);
    add_heap_quantities(all);
    add_rigidity_quantities(all);
    add_flow_quantities(all);
    add_mixing_quantities(all);
    add_masonry_quantities(all);
    return all;
  }();
  return list;
}

template <int D>
const Quantity<D>* find_quantity(const std::string& name) {
  for (const Quantity<D>& quantity : quantities<D>())
    if (quantity.name == name) return &quantity;
  return nullptr;
}

std::vector<std::string> usual_quantities() {
  return {"stress", "weight", "wall-forces", "solid-fraction", "coordination", "forces", "fabric", "mobilisation"};
}

template <int D>
double mean_diameter(const Sample<D>& sample) {
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i)) sum += 2.0 * sample.parameters->radius[i], ++count;
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

template <int D>
std::vector<Region<D>> regions_of(const Sample<D>& sample, const Choices& choices) {
  const Domain<D> domain = domain_of(sample);
  if (choices.regions.empty()) return {domain.whole()};
  std::vector<Region<D>> regions;
  for (const RegionChoice& choice : choices.regions)
    for (const Region<D>& region : resolve(choice, domain, axis_of<D>(choices))) regions.push_back(region);
  return regions;
}

template <int D>
std::vector<Region<D>> regions_of_bodies(const Sample<D>& sample, const Choices& choices) {
  std::vector<Region<D>> regions = regions_of(sample, choices);
  for (Region<D>& region : regions)
    if (region.name == "all") {
      const Lattice<D> cell = region.outside.lattice;
      region.outside = Extent<D>();  // all of space
      region.outside.lattice = cell;
    }
  return regions;
}

template const std::vector<Quantity<2>>& quantities();
template const std::vector<Quantity<3>>& quantities();
template const Quantity<2>* find_quantity(const std::string&);
template const Quantity<3>* find_quantity(const std::string&);
template double mean_diameter(const Sample<2>&);
template double mean_diameter(const Sample<3>&);
template std::vector<Region<2>> regions_of(const Sample<2>&, const Choices&);
template std::vector<Region<3>> regions_of(const Sample<3>&, const Choices&);
template std::vector<Region<2>> regions_of_bodies(const Sample<2>&, const Choices&);
template std::vector<Region<3>> regions_of_bodies(const Sample<3>&, const Choices&);

}  // namespace moreau::measure
