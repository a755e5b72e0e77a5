// Contact forces in a picture: lines between centres, through the contact point of a block, as wide as the normal force is large.
#pragma once

#include <vector>

#include "moreau/draw/picture/camera.hpp"
#include "moreau/dynamics/frame.hpp"

namespace moreau::inline draw {

inline constexpr Colour push_colour{0.84, 0.07, 0.10};
inline constexpr Colour pull_colour{0.10, 0.35, 0.95};  // cohesive contacts may pull

struct ForceLine {
  Point from, to;
  double force;  // normal, positive when pushing
};

struct ForceLines {
  std::vector<ForceLine> lines;
  double pixels_per_force = 0.0;
  double cap = 0.0;   // widest line [pixels]
  double mean = 0.0;  // of |normal force| over the lines
};

// Lines of the contacts between bodies marked in `shown`, and with walls (centre to contact point). With a block, two lines that
// meet at the contact point; a fixed or driven block is a wall in this. The mean force is drawn as a line of `mean_width`
// [pixels], and no line is wider than four times that.
template <int D>
ForceLines force_lines(const Frame<D>& frame, const Camera& camera, const std::vector<char>& shown, double mean_width);

double line_width(const ForceLines& forces, double force);

void draw_forces(Canvas& canvas, const ForceLines& forces);

}  // namespace moreau::inline draw
