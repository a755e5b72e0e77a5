#include "moreau/draw/picture/arrows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "moreau/draw/canvas/legend.hpp"
#include "moreau/draw/canvas/ticks.hpp"

namespace moreau::inline draw {

namespace {
constexpr double shortest_seen = 0.7;  // pixels; below, an arrow is a dot of no direction
constexpr double longest_arrow = 4.0;  // in typical ones: a single body that moves far does not leave the picture
}  // namespace

double typical_length(const BodyVectors& vectors, const std::vector<char>& shown) {
  std::vector<double> length;
  for (std::size_t i = 0; i < std::min(vectors.vector.size(), shown.size()); ++i)
    if (shown[i] && is_finite(vectors.vector[i])) length.push_back(norm(vectors.vector[i]));
  if (length.empty()) return 0.0;
  const auto place = length.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(length.size() - 1));
  std::nth_element(length.begin(), place, length.end());
  const double longest = *std::max_element(place, length.end());
  return std::max(*place, longest / longest_arrow);
}

Arrows arrows_of(const BodyVectors& vectors, const std::vector<Vec<3>>& centre, const Camera& camera,
                 const std::vector<char>& shown, double diameter, double typical) {
  Arrows arrows;
  arrows.name = vectors.name;
  arrows.typical = typical > 0.0 ? typical : typical_length(vectors, shown);
  if (!(arrows.typical > 0.0)) return arrows;
  arrows.pixels_per_unit = arrow_diameters * diameter / arrows.typical;
  arrows.width = std::clamp(0.07 * diameter, 0.6, 4.0);
  const double magnified = arrows.pixels_per_unit / camera.zoom;
  for (std::size_t i = 0; i < std::min(vectors.vector.size(), shown.size()); ++i) {
    if (!shown[i] || !is_finite(vectors.vector[i]) || !is_finite(centre[i])) continue;
    const Point from = camera.project(centre[i]).at, to = camera.project(centre[i] + magnified * vectors.vector[i]).at;
    if (std::hypot(to.x - from.x, to.y - from.y) >= shortest_seen) arrows.ends.push_back({from, to});
  }
  return arrows;
}

// The head is five shafts long, and no longer than 60 % of the arrow.
void draw_arrow(Canvas& canvas, Point from, Point to, double width, Colour colour) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (!(length > 0.0)) return;
  const double head = std::min(5.0 * width, 0.6 * length), half = 0.4 * head;
  const Point along{(to.x - from.x) / length, (to.y - from.y) / length}, neck{to.x - head * along.x, to.y - head * along.y};
  canvas.line(from, neck, width, colour);
  const std::array<Point, 3> tip = {
      {to, {neck.x - half * along.y, neck.y + half * along.x}, {neck.x + half * along.y, neck.y - half * along.x}}};
  canvas.polygon(tip, colour);
}

void draw_arrows(Canvas& canvas, const Arrows& arrows) {
  for (const auto& [from, to] : arrows.ends) draw_arrow(canvas, from, to, arrows.width, arrow_colour);
}

void draw_arrow_key(Canvas& canvas, const Arrows& arrows, const Rectangle& area, double letter) {
  if (arrows.ends.empty()) return;
  double sample = round_down(arrows.typical);
  while (sample * arrows.pixels_per_unit > 3.0 * letter) sample = round_down(0.499 * sample);
  const TextStyle number = narrowed({.size = 0.85 * letter}, arrows.name, area.width());
  const double y = draw_name(canvas, arrows.name, arrows.unit, area, 0.85 * letter) + 1.3 * letter,
               end = area.left + sample * arrows.pixels_per_unit;
  draw_arrow(canvas, {area.left, y}, {end, y}, arrows.width, arrow_colour);
  canvas.text({end + 0.5 * letter, y + 0.3 * letter}, short_number(sample), number);
}

}  // namespace moreau::inline draw
