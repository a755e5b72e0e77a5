// Walls in a picture.
#pragma once

#include <vector>

#include "moreau/draw/picture/camera.hpp"

namespace moreau::inline draw {

// In parallel projection, walls seen edge-on: planes as thick lines hatched on the side without bodies, ending where they meet
// another wall; cylinders as circles (seen along the axis) or two lines. In perspective, planes behind the bodies as pale panels
// of the size of the region, cylinders as two rims. `letter` is the letter size, which sets the widths.
void draw_walls(Canvas& canvas, const Camera& camera, const std::vector<WallGeometry<3>>& walls, const Box& region,
                const Rectangle& window, double letter);

}  // namespace moreau::inline draw
