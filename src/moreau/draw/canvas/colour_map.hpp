// Colours, and the maps from a number to a colour.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace moreau::inline draw {

// Red, green, blue and opacity, each in [0, 1].
struct Colour {
  double red = 0.0, green = 0.0, blue = 0.0, alpha = 1.0;
};

inline constexpr Colour grey(double level, double alpha = 1.0) { return {level, level, level, alpha}; }
inline constexpr Colour faded(Colour c, double alpha) { return {c.red, c.green, c.blue, alpha}; }

// Relative luminance (Rec. 709 weights): tells whether a mark on this colour should be dark or light.
inline constexpr double luminance(const Colour& c) { return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue; }

// Dark violet to yellow, perceptually uniform and readable by the colour-blind; t is clamped to [0, 1], not-a-number is magenta.
Colour viridis(double t);

// The palette of Okabe and Ito for things without order (materials, curves), repeated after eight.
Colour category(std::size_t index);

// The same, but what is called by a colour (red, blue, ...) has that.
Colour category(std::size_t index, const std::vector<std::string>& names);

}  // namespace moreau::inline draw
