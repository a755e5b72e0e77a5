#include "moreau/draw/canvas/colour_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace moreau::inline draw {

Colour viridis(double t) {
  // Sixteen knots of the public-domain map of Smith and van der Walt, evenly spaced.
  static constexpr std::array<std::array<double, 3>, 16> knots = {{{68, 1, 84},
                                                                   {72, 26, 108},
                                                                   {71, 47, 125},
                                                                   {65, 68, 135},
                                                                   {57, 86, 140},
                                                                   {49, 104, 142},
                                                                   {42, 120, 142},
                                                                   {35, 136, 142},
                                                                   {31, 152, 139},
                                                                   {34, 168, 132},
                                                                   {53, 183, 121},
                                                                   {84, 197, 104},
                                                                   {122, 209, 81},
                                                                   {165, 219, 54},
                                                                   {210, 226, 27},
                                                                   {253, 231, 37}}};
  if (std::isnan(t)) return {0.85, 0.0, 0.85};
  const double place = std::clamp(t, 0.0, 1.0) * (knots.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(place), knots.size() - 2);
  const double s = place - static_cast<double>(i);
  const auto mix = [&](std::size_t k) { return ((1.0 - s) * knots[i][k] + s * knots[i + 1][k]) / 255.0; };
  return {mix(0), mix(1), mix(2)};
}

Colour category(std::size_t index) {
  static constexpr std::array<std::array<double, 3>, 8> palette = {
      {{0, 114, 178}, {213, 94, 0}, {0, 158, 115}, {204, 121, 167}, {230, 159, 0}, {86, 180, 233}, {60, 60, 60}, {240, 228, 66}}};
  const auto& c = palette[index % palette.size()];
  return {c[0] / 255.0, c[1] / 255.0, c[2] / 255.0};
}

Colour category(std::size_t index, const std::vector<std::string>& names) {
  static const std::map<std::string, std::array<int, 3>> colours = {
      {"red", {210, 40, 40}},     {"blue", {0, 114, 178}},   {"green", {0, 158, 115}},  {"yellow", {240, 228, 66}},
      {"orange", {230, 140, 0}},  {"purple", {120, 60, 160}}, {"violet", {120, 60, 160}}, {"pink", {226, 135, 180}},
      {"brown", {130, 84, 50}},   {"black", {40, 40, 40}},   {"white", {245, 245, 245}}, {"grey", {140, 140, 140}},
      {"gray", {140, 140, 140}}};
  if (index < names.size())
    if (const auto found = colours.find(names[index]); found != colours.end())
      return {found->second[0] / 255.0, found->second[1] / 255.0, found->second[2] / 255.0};
  return category(index);
}

}  // namespace moreau::inline draw
