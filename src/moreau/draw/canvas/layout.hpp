// Where things stand on the sheet.
#pragma once

#include <algorithm>
#include <cmath>

#include "moreau/draw/canvas/canvas.hpp"

namespace moreau::inline draw {

struct Layout {
  int width = 0, height = 0;
  double letter = 0.0;  // size of letters, the unit of all margins
  Rectangle heading, window, legend, foot;
};

// The window takes the shape of what is shown (its height / width), within limits that keep room for the legend and the sheet on
// a screen.
inline Layout layout_for(int width, double shape, bool titled, bool with_legend, double letter = 0.0) {
  Layout l;
  l.width = width;
  l.letter = letter > 0.0 ? letter : letter_size(width);
  const double margin = 1.5 * l.letter, top = (titled ? 4.0 : 2.4) * l.letter, bottom = 2.8 * l.letter;
  l.window = {margin, top, width - (with_legend ? 7.5 * l.letter : margin), 0.0};
  const double w = l.window.width(), least = std::max(0.3 * w, (with_legend ? 15.0 : 5.0) * l.letter);
  l.window.bottom = top + std::clamp(shape * w, least, std::max(1.2 * w, least));
  l.height = static_cast<int>(std::ceil(l.window.bottom + bottom));
  l.heading = {margin, 0.6 * l.letter, width - margin, top};
  l.legend = {l.window.right + 1.2 * l.letter, top, width - 0.4 * l.letter, l.window.bottom};
  l.foot = {margin, l.window.bottom, width - margin, static_cast<double>(l.height)};
  return l;
}

}  // namespace moreau::inline draw
