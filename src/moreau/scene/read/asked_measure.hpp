// Quantities, regions and strips that a user asks for by text, on the command line or from a script. All throw std::runtime_error
// with one sentence.
#pragma once

#include <string>
#include <vector>

#include "moreau/measure/quantity.hpp"

namespace moreau::inline scene {

template <int D>
const measure::Quantity<D>& quantity_named(const std::string& name);

void add_regions(measure::Choices& choices, const std::vector<std::string>& texts, int dimension);
// "r1,z1,r2,z2" each.
void add_strips(measure::Choices& choices, const std::vector<std::string>& texts, int dimension);

// The first region chosen that holds nothing of the sample, or null; std::runtime_error where one has too many parts.
template <int D>
const measure::RegionChoice* empty_region(const measure::Sample<D>& sample, const measure::Choices& choices);
std::string empty_region_sentence(const measure::RegionChoice& region, double time);

}  // namespace moreau::inline scene
