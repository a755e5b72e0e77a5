// Curves of measures: `moreau draw DIR --plot ...`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "moreau/measure/quantity.hpp"

namespace moreau {

inline const std::vector<std::string> plot_names = {"forces", "ground-pressure", "rose", "strips"};

// Throws std::runtime_error with one sentence when the sample has nothing to show.
template <int D>
void draw_measure(const std::string& name, const measure::Sample<D>& sample, const measure::Choices& choices,
                  const std::string& title, int width, const std::filesystem::path& file);

}  // namespace moreau
