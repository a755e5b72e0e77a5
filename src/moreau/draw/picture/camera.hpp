// From a point of space to a point of the sheet.
#pragma once

#include <string>

#include "moreau/draw/canvas/canvas.hpp"
#include "moreau/draw/picture/shown_box.hpp"

namespace moreau::inline draw {

struct Projected {
  Point at;      // pixels
  double scale;  // pixels per unit length at this depth
  double depth;  // grows towards the viewer
};

struct Camera {
  Vec<3> right{}, up{}, toward{};  // orthonormal; `toward` points to the viewer
  Vec<3> centre{};                 // what the camera looks at
  double distance = 0.0;           // of the eye from the centre; zero: parallel projection
  double zoom = 1.0;               // pixels per unit length at the centre
  Point offset{};                  // pixel of the centre

  bool perspective() const { return distance > 0.0; }

  Projected project(const Vec<3>& p) const {
    const Vec<3> d = p - centre;
    const double z = dot(d, toward);
    // Nothing nearer to the eye than a tenth of its distance is ever in the region; the bound keeps far-flung walls finite.
    const double s = perspective() ? zoom * distance / std::max(distance - z, 0.1 * distance) : zoom;
    return {{offset.x + s * dot(d, right), offset.y - s * dot(d, up)}, s, z};
  }
};

// perspective, front (x to the right, z up), side (y, z), top (x, y). Throws std::runtime_error on any other name. Angles in
// degrees are those of the perspective (draw/picture/picture.hpp).
struct Perspective {
  double azimuth = 32.0, elevation = 24.0, field_of_view = 14.25;
};
Camera camera_for(const std::string& view, const Box& region, const Perspective& perspective = {});

// Zoom and offset such that `extent`, measured with zoom 1 and offset 0, is centred in `window` and as large as fits.
void fit(Camera& camera, const Rectangle& extent, const Rectangle& window);

// Bounding rectangle of the projected corners of the box.
Rectangle extent_of(const Camera& camera, const Box& box);

}  // namespace moreau::inline draw
