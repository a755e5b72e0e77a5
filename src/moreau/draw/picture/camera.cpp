#include "moreau/draw/picture/camera.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace moreau::inline draw {

Camera camera_for(const std::string& view, const Box& region, const Perspective& perspective) {
  Camera camera;
  camera.centre = region.centre();
  const Vec<3> x{{1, 0, 0}}, y{{0, 1, 0}}, z{{0, 0, 1}};
  if (view == "front") {
    camera.right = x, camera.up = z, camera.toward = -y;
  } else if (view == "side") {
    camera.right = y, camera.up = z, camera.toward = x;
  } else if (view == "top") {
    camera.right = x, camera.up = y, camera.toward = z;
  } else if (view == "perspective") {
    // From the front right, a little above: three sides of a box are seen, and heights stay readable. The angles are those
    // between the line of sight and the x-z plane (32 degrees) and the horizontal (24 degrees).
    const double degree = std::numbers::pi / 180.0;
    const double azimuth = perspective.azimuth * degree, elevation = perspective.elevation * degree;
    camera.toward = {{std::sin(azimuth) * std::cos(elevation), -std::cos(azimuth) * std::cos(elevation), std::sin(elevation)}};
    // From straight above or below the vertical gives no direction to the right.
    camera.right = {{std::cos(azimuth), std::sin(azimuth), 0.0}};
    camera.up = cross(camera.toward, camera.right);
    camera.distance = 0.5 * norm(region.size()) / std::tan(0.5 * perspective.field_of_view * degree);
  } else {
    throw std::runtime_error(fmt::format("the view of a picture is '{}', accepted are perspective, front, side and top.", view));
  }
  return camera;
}

void fit(Camera& camera, const Rectangle& extent, const Rectangle& window) {
  const double tiny = std::numeric_limits<double>::min();
  camera.zoom = std::min(window.width() / std::max(extent.width(), tiny), window.height() / std::max(extent.height(), tiny));
  camera.offset.x = 0.5 * (window.left + window.right) - camera.zoom * 0.5 * (extent.left + extent.right);
  camera.offset.y = 0.5 * (window.top + window.bottom) - camera.zoom * 0.5 * (extent.top + extent.bottom);
}

Rectangle extent_of(const Camera& camera, const Box& box) {
  const double infinity = std::numeric_limits<double>::infinity();
  Rectangle r{infinity, infinity, -infinity, -infinity};
  for (int corner = 0; corner < 8; ++corner) {
    Vec<3> p;
    for (int k = 0; k < 3; ++k) p[k] = (corner >> k & 1) ? box.high[k] : box.low[k];
    const Point at = camera.project(p).at;
    r = {std::min(r.left, at.x), std::min(r.top, at.y), std::max(r.right, at.x), std::max(r.bottom, at.y)};
  }
  return r;
}

}  // namespace moreau::inline draw
